# What every program that runs as root is compiled and linked with: canaries on the stack, checked copies, places that differ from run to run,
# tables that are read-only once the program runs, no code on the stack. CFLAGS are the caller's.
# Checked copies need an optimising compiler.
HARDENING := -fstack-protector-strong -fstack-clash-protection -fPIE -Wformat -Wformat-security $(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDENED := -pie -Wl,-z,relro,-z,now,-z,noexecstack
