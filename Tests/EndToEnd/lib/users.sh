# Sourced by inside.sh: the people. Everybody's passcode is 'correct horse'; only alice enrols a finger.
passcode='correct horse'
hash_of() { /usr/bin/python3 "$lib/hash.py" "$1" "$passcode"; }
# Shells whose prompt shows the last exit status and whose shell it is, for the transcripts.
shell_in() {
  printf '%s\n' "PS1='[\$?]\u\\\$ '" "bind 'set enable-bracketed-paste off' 2>/dev/null" > "$1/.bashrc"
  printf '%s\n' '. ~/.bashrc' > "$1/.bash_profile"
  : > "$1/.hushlogin"
}
person() {
  useradd --create-home --skel /nonexistent --shell /bin/bash --uid "$2" --password "$3" "$1"
  shell_in "/home/$1"
}

shell_in /root
yescrypt=$(hash_of yescrypt)
person alice 2001 "$yescrypt"
person asha 2002 "$(hash_of sha512)"
person bob 2003 ''             # no passcode at all
person carol 2004 "!$yescrypt" # locked
person dora 2005 '*'           # no hash: finger or key only
person eve 2006 "$yescrypt"    # ordinary, nothing enrolled
usermod -aG sudo alice

printf '%s\n' 'Defaults env_reset, lecture=never, timestamp_timeout=5, secure_path="/usr/sbin:/usr/bin:/sbin:/bin"' \
  'root ALL=(ALL:ALL) ALL' '%users ALL=(ALL:ALL) ALL' '@includedir /etc/sudoers.d' > /etc/sudoers
chmod 440 /etc/sudoers
find /etc/sudoers.d -type f -delete
for name in alice asha bob carol dora eve; do usermod -aG users "$name"; done
echo '127.0.0.1 localhost world' > /etc/hosts
