# Sourced by inside.sh: what runs in the background. polkitd and fprintd are started by the bus when asked for.
wait_for() { until [ -S "$1" ]; do sleep 0.01; done; }

/usr/bin/python3 "$lib/syslog.py" "$WORLD_OUT/syslog" &
wait_for /dev/log

# The bus starts services with an empty environment, so the reader's name goes into the program it starts. A test
# that wants another fprintd writes its command line to /run/fprintd-instead.
virtual=
case $WORLD_READER_KIND in plain | two) virtual="FP_VIRTUAL_DEVICE=$WORLD_READER" ;; esac
case $WORLD_READER_KIND in
  storage) virtual="FP_VIRTUAL_DEVICE_STORAGE=$WORLD_READER" ;;
  two) virtual="$virtual FP_VIRTUAL_DEVICE_STORAGE=/run/reader2.sock" ;;
esac
cat > /run/fprintd <<P
#!/bin/sh
exec >> "$WORLD_OUT/fprintd.log" 2>&1
[ ! -e /run/fprintd-instead ] || exec \$(cat /run/fprintd-instead)
exec env $virtual FP_DRIVERS_WHITELIST=virtual_device:virtual_device_storage STATE_DIRECTORY=/var/lib/fprint \\
  /usr/libexec/fprintd -t
P
chmod 755 /run/fprintd
sed -i 's|^Exec=.*|Exec=/run/fprintd|' /usr/share/dbus-1/system-services/net.reactivated.Fprint.service
rm -rf /var/lib/fprint/*

dbus-daemon --system --nofork --nopidfile > "$WORLD_OUT/dbus-daemon.log" 2>&1 &
echo $! > /run/dbus-daemon.pid
wait_for /run/dbus/system_bus_socket
# Everything that is said on the bus: the tests' cue for a touch, and their evidence that no reader was opened.
stdbuf -oL dbus-monitor --system --profile > "$WORLD_OUT/bus" 2> /dev/null &

if [ "$WORLD_PRODUCT" = socket ]; then
  mkdir -m 755 /run/localauth
  systemd-socket-activate --accept --inetd -l /run/localauth/helper.sock \
    /usr/libexec/localauth/localauth-helper accept > "$WORLD_OUT/socket.log" 2>&1 &
  wait_for /run/localauth/helper.sock
  chmod 666 /run/localauth/helper.sock
fi

enrolment=ready
[ "$WORLD_ENROL" = no ] || enrolment='enrol alice right-index-finger FINGER-ALICE'
if [ "$WORLD_READER_KIND" != none ]; then
  # shellcheck disable=SC2086  # words on purpose
  /usr/bin/python3 "$lib/reader.py" $enrolment > "$WORLD_OUT/reader.log" 2>&1 ||
    { cat "$WORLD_OUT/reader.log" >&2; exit 1; }
fi

# alice has typed her passcode once since she enrolled, so that her finger counts.
if [ "$WORLD_PRODUCT" != none ] && [ "$WORLD_ENROL" = yes ] && [ "$WORLD_READER_KIND" != none ]; then
  /usr/bin/python3 "$lib/pamclient.py" --service confirm --conversation answers --answer "$passcode" \
    > "$WORLD_OUT/confirm.log" 2>&1 || { cat "$WORLD_OUT/confirm.log" >&2; exit 1; }
fi
