#!/bin/sh
# Carries out one command inside the kernel under test. The connection brings its number, then its standard input, and
# takes its output, if the command's own script does not send that elsewhere; its last act is the exit status.
IFS= read -r number
cd /run/exchange || exit
(. "./$number.sh") 2>"$number.stderr"
echo $? >"$number.status"
