# Sourced by inside.sh: own file systems, so that whatever is installed, written or broken in here is gone later.
hostname world
ip link set lo up

# /mnt holds the layers, the repository (8) and the output folder (9).
mount -t tmpfs -o mode=755,size=256m world /mnt
mkdir /mnt/repo /mnt/out /mnt/layers
mount --no-canonicalize --bind /proc/self/fd/8 /mnt/repo
mount -o remount,bind,ro /mnt/repo
mount --no-canonicalize --bind /proc/self/fd/9 /mnt/out

mount -t proc -o nosuid,nodev,noexec proc /proc
for folder in etc usr var; do
  mkdir /mnt/layers/$folder /mnt/layers/$folder.work
  mount -t overlay "world-$folder" \
    -o "lowerdir=/$folder,upperdir=/mnt/layers/$folder,workdir=/mnt/layers/$folder.work" "/$folder"
done
for folder in run home root; do mount -t tmpfs -o mode=755 "world-$folder" "/$folder"; done
mount -t tmpfs -o mode=1777 world-tmp /tmp
# No /run/systemd/seats: there is no logind in here.
mkdir -p /run/dbus /run/sudo /run/user /run/lock
: > /run/utmp
for log in wtmp btmp lastlog faillog; do : > "/var/log/$log"; done

# Own /dev, so that /dev/log and the terminals are ours.
mkdir /mnt/dev
mount -t tmpfs -o mode=755,nosuid world-dev /mnt/dev
for node in null zero full random urandom tty; do
  : > "/mnt/dev/$node"
  mount --bind "/dev/$node" "/mnt/dev/$node"
done
mkdir /mnt/dev/pts /mnt/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts /mnt/dev/pts
mount -t tmpfs -o mode=1777 world-shm /mnt/dev/shm
ln -s pts/ptmx /mnt/dev/ptmx
ln -s /proc/self/fd /mnt/dev/fd
for n in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${n%:*}" "/mnt/dev/${n#*:}"; done
mount --move /mnt/dev /dev
rmdir /mnt/dev
