#!/bin/sh
# Carries out one command inside the kernel under test. The connection brings its number, then its standard input, and
# takes its output, then a line with its number and exit status, then what it said on standard error.
IFS= read -r number
(. "$EXCHANGE/$number.sh") 2>"/mnt/$number"
status=$?
printf '\n\001%s %s\n' "$number" "$status"
cat "/mnt/$number"
rm "/mnt/$number"
