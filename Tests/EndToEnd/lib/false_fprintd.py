"""false_fprintd.py BEHAVIOUR: owns fprintd's name and misbehaves.

  silent-start    never answers VerifyStart
  many-hints      says 300 times that a scan was bad
  early-match     says that a finger matched when it is claimed and listened to, and no verification was started
"""
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SERVICE = "net.reactivated.Fprint"
DEVICE = SERVICE + ".Device"
PATH = "/net/reactivated/Fprint/Device/0"
PROPERTIES = {
    "name": "False reader", "num-enroll-stages": dbus.Int32(5), "scan-type": "swipe",
    "finger-present": False, "finger-needed": False,
}
behaviour = sys.argv[1]


class Manager(dbus.service.Object):
    @dbus.service.method(SERVICE + ".Manager", out_signature="ao")
    def GetDevices(self):
        return [dbus.ObjectPath(PATH)]

    @dbus.service.method(SERVICE + ".Manager", out_signature="o")
    def GetDefaultDevice(self):
        return dbus.ObjectPath(PATH)


class Device(dbus.service.Object):
    @dbus.service.method(DEVICE, in_signature="s", out_signature="as")
    def ListEnrolledFingers(self, user):
        return ["right-index-finger"]

    @dbus.service.method(DEVICE, in_signature="s")
    def Claim(self, user):
        pass

    @dbus.service.method(DEVICE)
    def Release(self):
        pass

    @dbus.service.method(DEVICE, in_signature="s", async_callbacks=("answer", "fail"))
    def VerifyStart(self, finger, answer, fail):
        if behaviour in ("early-match", "many-hints"):
            answer()
        if behaviour == "many-hints":
            for _ in range(300):
                self.VerifyStatus("verify-retry-scan", False)

    @dbus.service.method(DEVICE)
    def VerifyStop(self):
        pass

    @dbus.service.signal(DEVICE, signature="sb")
    def VerifyStatus(self, result, done):
        pass

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        # The last thing a client asks before it starts: it hears every signal by then.
        if behaviour == "early-match":
            self.VerifyStatus("verify-match", True)
        return PROPERTIES[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return PROPERTIES


DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
objects = Manager(bus, "/net/reactivated/Fprint/Manager"), Device(bus, PATH)
name = dbus.service.BusName(SERVICE, bus, do_not_queue=True)
GLib.MainLoop().run()
