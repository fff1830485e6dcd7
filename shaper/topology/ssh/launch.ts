/**
 * The command line of `ssh` that starts an agent, and the input that it sends first.
 *
 * Nothing is installed on the machine: the agent is a single script, sent over the connection and run by the machine's
 * Node. If the machine allows it, everything runs in a new PID namespace (pid_namespaces(7)): when the agent ends for
 * any reason, the kernel kills everything that it has started.
 *
 * The shell that starts the agent outlives it. The shell runs a script that reverts the agent's changes on the machine,
 * and removes the agent's folder. The script is written before each change (ssh-host.ts).
 */
import { createHash } from 'node:crypto';
import { folders } from '../../../core/system/child-environment.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { bundle } from './bundle.ts';

export type Destination = {
  /** Destination of `ssh`: "root@10.0.0.2", or a name of ~/.ssh/config. */
  ssh: string;
  port: number | null;
  /** Path of the configuration file for `ssh`; null: ssh uses the file of the user. */
  configFile: string | null;
  /** Name or path of Node's program on the machine. */
  node: string;
};

/** Oldest major version of Node that runs the agent. */
export const leastNode = 20;
/** Exit statuses of the machine's shell, for a machine without Node, and of the script that starts the agent. */
export const noNodeStatus = 97;
export const oldNodeStatus = 98;

const options = {
  BatchMode: 'yes',
  ConnectTimeout: '10',
  ServerAliveInterval: '5',
  ServerAliveCountMax: '2',
  // a private connection, which ends with this process; a shared one would not
  ControlMaster: 'no',
  ControlPath: 'none',
  ClearAllForwardings: 'yes',
  ForwardAgent: 'no',
  ForwardX11: 'no',
  PermitLocalCommand: 'no',
  RemoteCommand: 'none',
  RequestTTY: 'no',
  EscapeChar: 'none',
};

/** Name of the script, in the agent's folder, that reverts the agent's changes. */
export const undoScript = 'undo';

/**
 * Shell script on the machine. $1: Node; $2: Node's script. The outer `sh` of the PID namespace is the namespace's
 * first process, so the namespace ends with it. The agent's folder is in /dev/shm, which allows programs to run and is
 * emptied by a restart, as settings are. The undo script runs only from a folder that this user owns.
 */
const onMachine = [
  // the undo script finds the same programs as the agent; both use English messages
  `PATH="$PATH:${folders.join(':')}"; LC_ALL=C; export PATH LC_ALL`,
  `command -v "$1" >/dev/null 2>&1 || exit ${noNodeStatus}`,
  'COEXIST_FOLDER="$(mktemp -u /dev/shm/coexist-XXXXXXXXXX)"; export COEXIST_FOLDER',
  'trap : HUP INT TERM',
  'inside="unshare --pid --fork --kill-child --mount-proc"',
  'if $inside true 2>/dev/null',
  'then export COEXIST_CONTAINED=1',
  '$inside sh -c \'"$1" -e "$2"; exit $?\' sh "$1" "$2"',
  'else "$1" -e "$2"',
  'fi',
  'status=$?',
  'if [ -d "$COEXIST_FOLDER" ] && [ -O "$COEXIST_FOLDER" ]',
  `then if [ -f "$COEXIST_FOLDER/${undoScript}" ]`,
  `then sh "$COEXIST_FOLDER/${undoScript}" </dev/null >/dev/null 2>&1`,
  'fi',
  'rm -rf "$COEXIST_FOLDER"',
  'fi',
  'exit $status',
].join('; ');

/**
 * Script for Node on the machine. It reads the length of the agent's script and the script itself from its input, and
 * runs the script. The rest of the input is for the agent. The syntax is old on purpose, since the machine's Node may
 * be old.
 */
const loader = `
if (Number(process.versions.node.split(".")[0]) < ${leastNode}) process.exit(${oldNodeStatus});
var got = Buffer.alloc(0), timer = setTimeout(function () { process.exit(1); }, 30000);
var end = function () { process.exit(1); };
var read = function () {
  for (var chunk; (chunk = process.stdin.read()) !== null; ) {
    got = Buffer.concat([got, chunk]);
    var length = got.length < 4 ? Infinity : got.readUInt32BE(0);
    if (length < Infinity && length > 1e6) process.exit(1);
    if (got.length < 4 + length) continue;
    clearTimeout(timer);
    process.stdin.off("readable", read).off("end", end);
    if (got.length > 4 + length) process.stdin.unshift(got.subarray(4 + length));
    var script = got.subarray(4, 4 + length);
    globalThis.coexistCode = require("crypto").createHash("sha256").update(script).digest("hex");
    var place = "data:text/javascript;base64," + script.toString("base64");
    import(place).catch(function (error) { console.error(String(error)); process.exit(1); });
    return;
  }
};
process.stdin.on("readable", read).on("end", end);
`
  .trim()
  .replaceAll('\n', ' ');

type AgentProgram = { script: Buffer; sha256: string };

let made: AgentProgram | undefined;

/** Returns the agent as one script; it is built once. */
export function agentProgram(): AgentProgram {
  if (made !== undefined) return made;
  const entry = new URL('./agent-main.ts', import.meta.url);
  const script = Buffer.from(bundle(entry, 'startAgent', 'globalThis.coexistCode'));
  made = { script, sha256: createHash('sha256').update(script).digest('hex') };
  return made;
}

/** Returns the first bytes for the agent's standard input: length of the script, and the script. */
export function preamble({ script }: AgentProgram): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(script.length);
  return Buffer.concat([length, script]);
}

/** Returns the command line that waits on the machine for the agent's script. */
export const agentCommand = (node: string): string[] => ['sh', '-c', onMachine, 'sh', node, loader];

export function sshCommand({ ssh, port, configFile, node }: Destination): string[] {
  return [
    'ssh',
    ...(configFile === null ? [] : ['-F', configFile]),
    '-T',
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...(port === null ? [] : ['-p', String(port)]),
    '--',
    ssh,
    // works in every login shell, since all treat `exec` and quoted words alike
    `exec ${agentCommand(node).map(quoteWord).join(' ')}`,
  ];
}
