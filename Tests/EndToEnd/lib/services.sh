# Sourced by inside.sh: PAM as Debian 12 ships it, whatever this machine made of it; then the project, if wanted.

# One file of the common stack: type, what decides, what a success needs besides.
common() { printf '%s\n' "$@"; }
common 'auth [success=1 default=ignore] pam_unix.so nullok' \
  'auth requisite pam_deny.so' 'auth required pam_permit.so' > /etc/pam.d/common-auth
common 'account [success=1 new_authtok_reqd=done default=ignore] pam_unix.so' \
  'account requisite pam_deny.so' 'account required pam_permit.so' > /etc/pam.d/common-account
common 'password [success=1 default=ignore] pam_unix.so obscure yescrypt' \
  'password requisite pam_deny.so' 'password required pam_permit.so' > /etc/pam.d/common-password
common 'session required pam_unix.so' | tee /etc/pam.d/common-session > /etc/pam.d/common-session-noninteractive
# Services of the tests' own clients (pamtester, pamclient.py).
for service in probe screen; do
  common '@include common-auth' '@include common-account' '@include common-session' > "/etc/pam.d/$service"
done

# The module alone, for the passcode that has to be right once after an enrolment.
printf '%s\n' 'auth required pam_localauth.so' 'account required pam_permit.so' > /etc/pam.d/confirm

if [ "$WORLD_PRODUCT" != none ]; then
  setuid=0
  [ "$WORLD_PRODUCT" != setuid ] || setuid=1
  make -s -C "$WORLD_REPO" install-only DESTDIR= PREFIX=/usr "SETUID=$setuid" > "$WORLD_OUT/install.log" 2>&1 ||
    { cat "$WORLD_OUT/install.log" >&2; exit 1; }
fi
