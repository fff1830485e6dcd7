/**
 * The agent as a program: `startAgent` connects it to standard input and output. bundle.ts combines this module and all
 * its imports in one script.
 */
import { Socket } from 'node:net';
import { Agent } from './agent.ts';

/** Starts the agent. `code`: SHA-256 of the script, which the agent reports. */
export async function startAgent(code: string): Promise<void> {
  // not process.stdout: Node documents it as synchronous for pipes, and a blocked write would not notice a lost
  // connection
  const output = new Socket({ fd: 1, readable: false, writable: true });
  const agent = new Agent(output, code);
  process.stdin.on('data', (chunk: Buffer) => agent.receive(chunk));
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => void agent.end());
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void agent.end());
  const timer = setInterval(() => agent.checkSilence(), 100);
  const { fault } = await agent.ended;
  clearInterval(timer);
  if (fault !== undefined) process.stderr.write(`coexist: the agent has ended: ${fault}\n`);
  process.exit(fault === undefined ? 0 : 1);
}
