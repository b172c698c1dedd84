"""The virtual reader of libfprint 1.94, and what a person does to it.

  reader.py enrol USER FINGER PRINT    enrol through the real fprintd, and leave the socket open
  reader.py ready                      only leave the socket open

The driver takes one command per connection and one read; it closes once it has it, so waiting for the end makes a
command synchronous. No newline: it would become part of the print's name.
"""
import os
import socket
import sys
import time

# In a world with two readers the second is the one with storage.
SOCKET = os.environ.get("WORLD_READER", "/run/reader.sock")
SECOND = "/run/reader2.sock"
SERVICE = "net.reactivated.Fprint"
DEVICE = SERVICE + ".Device"


def command(text, path=SOCKET, within=5.0):
    """Sends one command to the driver, once the reader's socket is there; answers what the driver says."""
    end = time.monotonic() + within
    while True:
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            link.connect(path)
            break
        except OSError:
            link.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.002)
    with link:
        link.settimeout(5)
        link.sendall(text.encode())
        answer = b""
        try:
            while more := link.recv(4096):
                answer += more
        except ConnectionResetError:
            pass
    return answer.decode()


def devices():
    """fprintd's readers over the bus, each with the socket that plays its person."""
    import dbus
    from dbus.mainloop.glib import DBusGMainLoop

    DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    manager = bus.get_object(SERVICE, "/net/reactivated/Fprint/Manager")
    found = [bus.get_object(SERVICE, path) for path in manager.GetDevices(dbus_interface=SERVICE + ".Manager")]
    if len(found) == 1:
        return [(found[0], SOCKET)]
    return [(reader, SECOND if "storage" in get(reader, "name") else SOCKET) for reader in found]


def get(reader, name):
    return reader.Get(DEVICE, name, dbus_interface="org.freedesktop.DBus.Properties")


def enrol(reader, path, user, finger, print_name):
    """Enrols a finger, whose print is known by its name from now on. True when fprintd says so."""
    import dbus
    from gi.repository import GLib

    calls = dbus.Interface(reader, DEVICE)
    loop = GLib.MainLoop()
    said = []

    def status(result, done):
        said.append(str(result))
        print(result, flush=True)
        if done:
            loop.quit()

    reader.connect_to_signal("EnrollStatus", status, dbus_interface=DEVICE)
    calls.Claim(user)
    command("SET_KEEP_ALIVE 1", path)
    calls.EnrollStart(finger)
    for _ in range(int(get(reader, "num-enroll-stages"))):
        command("SCAN " + print_name, path)
    GLib.timeout_add_seconds(20, loop.quit)
    loop.run()
    calls.EnrollStop()
    calls.Release()
    return said[-1:] == ["enroll-completed"]


def keep_open(reader, path):
    """Claims the reader for a moment: its socket exists only while it is open, unless told to stay."""
    import dbus

    calls = dbus.Interface(reader, DEVICE)
    calls.Claim("root")
    command("SET_KEEP_ALIVE 1", path)
    calls.Release()
    return True


if __name__ == "__main__":
    act = enrol if sys.argv[1] == "enrol" else keep_open
    sys.exit(0 if all([act(*each, *sys.argv[2:]) for each in devices()]) else 1)
