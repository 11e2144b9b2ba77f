#!/run/guest/busybox sh
# Runs the commands that come in on the second serial port, one line each: TOKEN COMMAND…. Answers with the command's
# output and a line `TOKEN STATUS`. Ends with the machine, which the host switches off.
B=/run/guest/busybox
exec 3<>/dev/ttyS1
$B stty -F /dev/ttyS1 raw -echo
export HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb NO_COLOR=1
echo "ready $($B uname -r)" >&3
while read -r token command <&3; do
  /bin/sh -c "$command" </dev/null >&3 2>&1
  echo "
$token $?" >&3
done
$B poweroff -f
