/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* Names of states, phases and events, and the values that mean "infinite" and "not known". */
#ifndef COEXIST_BBR3_PHASES_H
#define COEXIST_BBR3_PHASES_H

#define BBR3_INFINITE32 0xffffffffu
#define BBR3_INFINITE64 0xffffffffffffffffull

enum bbr3_state { /* section 5.1.1 */
	          BBR3_STARTUP,
	          BBR3_DRAIN,
	          BBR3_DOWN,
	          BBR3_CRUISE,
	          BBR3_REFILL,
	          BBR3_UP,
	          BBR3_PROBE_RTT,
};

enum bbr3_ack_phase { /* section 2.14 */
	              BBR3_ACKS_INIT,
	              BBR3_ACKS_REFILLING,
	              BBR3_ACKS_PROBE_STARTING,
	              BBR3_ACKS_PROBE_FEEDBACK,
	              BBR3_ACKS_PROBE_STOPPING,
};

enum bbr3_undo { /* section 2.15: state before a loss, restored if the loss was spurious */
	         BBR3_UNDO_NONE,
	         BBR3_UNDO_STARTUP,
	         BBR3_UNDO_UP,
};

/* Events. The first ones are reasons for a change of state. */
enum bbr3_event {
	BBR3_BEGIN,          /* the connection begins, in Startup */
	BBR3_PLATEAU,        /* 5.3.1.2: the delivery rate stops growing */
	BBR3_STARTUP_LOSS,   /* 5.3.1.3 */
	BBR3_DRAINED,        /* 5.3.2, 5.3.3.1: data in flight has fallen to the estimated BDP */
	BBR3_DRAIN_ROUNDS,   /* 5.3.2: three rounds have passed */
	BBR3_PROBE_TIME,     /* 5.3.3.8: bw_probe_wait has passed */
	BBR3_RENO_TIME,      /* 5.3.3.8: the number of rounds that Reno would need has passed */
	BBR3_REFILLED,       /* 5.3.3.3: one round has passed */
	BBR3_PRECAUTION,     /* 5.3.3.6: the probe pauses at the level that was too high before */
	BBR3_PRECAUTION_OK,  /* 5.3.3.6: that level caused no excess loss, so the probe continues at once */
	BBR3_TOO_HIGH,       /* 5.5.10.2: a loss rate above LossThresh while probing */
	BBR3_PROBE_RTT_DUE,  /* 5.3.4: ProbeRTT is due */
	BBR3_PROBE_RTT_DONE, /* 5.3.4.4: ProbeRTT has ended */
	BBR3_UNDONE,         /* 5.5.11: the loss recovery was spurious */
	/* Events without a change of state */
	BBR3_PROBE_RTT_LOW, /* 5.3.4.3: data in flight has fallen to half the BDP; 200 ms begin now */
	BBR3_RESTART,       /* 5.4: the first packet after an idle time */
	BBR3_RECOVERY,      /* a loss recovery episode starts */
	BBR3_TIMEOUT,       /* a retransmission timeout */
	BBR3_LOSS_ROUND, /* 5.5.10.3: a round with loss ends; the short-term model is adapted unless BBR is probing */
};

#endif
