/**
 * `npm run doctor`: lists the capabilities of this machine or of a lab. For a missing capability it prints the command
 * that repairs it.
 */
import { existsSync } from 'node:fs';
import { cpus, freemem, totalmem } from 'node:os';
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import { canKeepCoresAwake } from '../../core/system/awake-cores.ts';
import type { Capability } from '../../core/system/capability.ts';
import { run } from '../../core/system/command.ts';
import { localHost } from '../../core/system/local-host.ts';
import { readMachineSettings, unwanted } from '../../core/system/machine-settings.ts';
import { requirePing } from '../../core/system/ping.ts';
import { withScratch } from '../../core/system/scratch.ts';
import { counted } from '../../core/text/counted.ts';
import { decoderObstacle } from '../../server/media/decoder-sandbox.ts';
import { probeShaper } from '../../shaper/doctor/probes.ts';
import { describePrecedence, precedenceHere } from '../../shaper/precedence/means.ts';
import { findVmafProgram, vmafMend } from '../analysis/quality/vmaf-program.ts';
import { generatedClip } from '../services/clips.ts';
import { availableCongestionControls, labelSocket } from '../services/shared/congestion-control.ts';
import { describeLimits, groupPlace } from '../trial/browser/bounds.ts';
import { confinement, describeConfinement } from '../trial/browser/confinement.ts';
import { findBrowser } from '../trial/browser/find.ts';
import { openBrowser } from '../trial/browser/launch.ts';
import { tunnelCaps, tunnelMend, tunnelStacks } from '../tunnels/quic/programs.ts';
import { parseOptions } from './arguments.ts';
import { blockedBy, describeCapabilities } from './capabilities.ts';
import { examineHosts } from './doctor-hosts.ts';
import { jsonOption, jsonUsage, prepareJson, printed, putJson } from './json-output.ts';

type Need = Pick<Capability, 'id' | 'title' | 'required' | 'cost' | 'mend'>;

async function tried(need: Need, attempt: () => Promise<string>): Promise<Capability> {
  try {
    return { ...need, works: true, found: await attempt() };
  } catch (error) {
    const hint = error instanceof CoexistError ? error.hint : undefined;
    return {
      ...need,
      works: false,
      found: messageOf(error).split('\n')[0]!,
      ...(hint === undefined ? {} : { mend: hint }),
    };
  }
}

const h264InPage = 'RTCRtpReceiver.getCapabilities("video").codecs.some(c => c.mimeType === "video/H264")';

async function probeBrowser(scratch: string): Promise<string> {
  const executable = findBrowser();
  const { page, version, close } = await openBrowser({
    executable,
    host: localHost,
    scratch,
    headed: false,
    width: 320,
    height: 180,
  });
  try {
    if (!(await page.evaluate<boolean>(h264InPage)))
      throw new CoexistError('no-h264', `${executable} ${version} cannot receive H.264`, {
        hint: "use Debian's Chromium or Google Chrome; name it with CHROMIUM_PATH",
      });
    return `${executable} ${version}, receives H.264`;
  } finally {
    await close();
  }
}

async function probeConfinement(): Promise<Capability> {
  const found = await confinement();
  return {
    id: 'confinement',
    title: 'confinement of browsers',
    works: found.isConfined && found.hasChromiumSandbox,
    required: false,
    found: describeConfinement(found),
    cost: found.isConfined
      ? 'Chromium runs without its own sandbox'
      : 'a page that exploits the browser gets the rights of this command, so live URLs are refused',
    mend: found.isConfined
      ? 'allow the user "nobody" to create user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)'
      : 'run it as root, where mount, PID and IPC namespaces can be created',
  };
}

async function probeLimits(): Promise<Capability> {
  const place = await groupPlace();
  return {
    id: 'limits',
    title: 'limits of browsers',
    works: 'parent' in place,
    required: false,
    found: describeLimits(place),
    cost: 'a browser that exceeds its limits is stopped up to one second late',
    mend: 'use a machine with cgroup v2 only, and enable the controllers: echo "+memory +pids" > /sys/fs/cgroup/cgroup.subtree_control',
  };
}

async function probePrecedence(): Promise<Capability> {
  const { reading } = await precedenceHere();
  return {
    id: 'precedence',
    title: 'precedence of trials',
    works: reading.means !== 'none',
    required: false,
    found: describePrecedence(reading),
    cost: 'other programs of this machine disturb trials',
    mend: 'run it as root, outside of containers and of services with limits',
  };
}

async function probeSettings(): Promise<Capability> {
  const readings = await readMachineSettings(localHost);
  const differing = unwanted(readings);
  return {
    id: 'settings',
    title: 'settings of the machine',
    works: differing.length === 0,
    required: false,
    found:
      differing.length === 0
        ? `${counted(Object.keys(readings).length, 'setting')}, none of which changes results`
        : differing.join('; '),
    cost: 'nothing stops, but results may differ from those of other machines: each trial has a note',
    mend: 'change them, for sysctls with sysctl -w NAME=VALUE; docs/machine-settings.md explains each',
  };
}

async function probeDecoders(): Promise<string> {
  const obstacle = await decoderObstacle();
  if (obstacle === null) return 'decoders have no network, and see no process and no file of the machine';
  throw new CoexistError('missing-kernel-feature', `decoders cannot be confined (${obstacle})`);
}

async function probeEncoders(): Promise<Capability[]> {
  // the import is here, so that a broken FFmpeg package does not end the doctor
  const { encoderKinds, probeEncoder } = await import('../../server/media/encoder-kinds.ts');
  const av = await import('node-av/lib');
  const constants = await import('node-av/constants');
  av.Log.setLevel(constants.AV_LOG_QUIET);
  const capabilities: Capability[] = [];
  for (const kind of encoderKinds) {
    const software = kind.codec === 'libx264';
    capabilities.push(
      await tried(
        {
          id: kind.codec,
          title: software ? 'software encoder (x264)' : 'hardware encoder (NVENC)',
          required: software,
          cost: software ? 'no stream' : 'the stream is encoded by x264, a quarter of a core at 720p60',
          mend: software ? 'reinstall the packages: npm ci' : 'needs an NVIDIA GPU with an encoder, and its driver',
        },
        async () => {
          await probeEncoder(kind);
          return `${kind.codec} encodes`;
        },
      ),
    );
  }
  return capabilities;
}

async function version(argv: string[]): Promise<string> {
  const { stdout, stderr } = await run(argv, { allowFailure: true });
  return (stdout || stderr).trim().split('\n')[0] ?? '';
}

async function probeVmaf(): Promise<string> {
  const found = await findVmafProgram();
  if ('missing' in found) throw new CoexistError('missing-program', found.missing, { hint: vmafMend });
  return `${found.program} ${found.version}`;
}

async function probeTunnels(): Promise<Capability[]> {
  return Promise.all(
    tunnelStacks.map(stack =>
      tried(
        {
          id: `tunnel-${stack}`,
          title: `QUIC tunnel on ${stack}`,
          required: false,
          cost: `no experiment through a QUIC tunnel with the stack ${stack}`,
          mend: tunnelMend,
        },
        async () => {
          const { version: own, stackVersion, modes, congestionControls } = await tunnelCaps(stack);
          return `${own}, ${stack} ${stackVersion}: ${modes.join(', ')}; ${congestionControls.join(', ')}`;
        },
      ),
    ),
  );
}

async function examine(): Promise<Capability[]> {
  const controls = await availableCongestionControls();
  const bbr = await labelSocket('bbr', undefined);
  const memoryGiB = totalmem() / 2 ** 30;
  const areAwake = canKeepCoresAwake();
  return [
    ...(await probeShaper()),
    await tried(
      {
        id: 'browser',
        title: 'browser with H.264',
        required: true,
        cost: 'no viewer',
        mend: 'apt-get install chromium',
      },
      () => withScratch(probeBrowser),
    ),
    await probeConfinement(),
    await probeLimits(),
    await tried(
      {
        id: 'decoders',
        title: 'confinement of decoders',
        required: false,
        cost: "a clip that exploits its decoder can reach the network and read the machine's processes and files",
        mend: 'run it as root, where mount, PID, IPC and network namespaces can be created',
      },
      probeDecoders,
    ),
    ...(await probeEncoders()),
    await tried(
      {
        id: 'ping',
        title: 'round trips (ping)',
        required: true,
        cost: 'no experiment',
        mend: 'apt-get install iputils-ping',
      },
      () => requirePing(localHost),
    ),
    await tried(
      { id: 'iperf3', title: 'flood (iperf3)', required: true, cost: 'baselines only', mend: 'apt-get install iperf3' },
      () => version(['iperf3', '--version']),
    ),
    {
      id: 'congestion-controls',
      title: 'TCP congestion controls',
      works: controls.includes('bbr') && controls.includes('cubic'),
      required: false,
      found: `${controls.join(', ')}${controls.includes('bbr') ? ` (bbr is ${bbr.label})` : ''}`,
      cost: 'floods of the missing kinds cannot be run',
      mend: 'modprobe tcp_bbr tcp_cubic',
    },
    await tried(
      {
        id: 'vmaf',
        title: 'VMAF (FFmpeg with libvmaf)',
        required: false,
        cost: 'picture quality is measured by PSNR and SSIM alone',
        mend: vmafMend,
      },
      probeVmaf,
    ),
    ...(await probeTunnels()),
    {
      id: 'clip',
      title: 'generated clip',
      works: existsSync(generatedClip),
      required: false,
      found: existsSync(generatedClip) ? generatedClip : 'not made yet',
      cost: 'only clips of your own',
      mend: 'npm run setup',
    },
    await probePrecedence(),
    await probeSettings(),
    {
      id: 'awake-cores',
      title: 'cores that stay awake',
      works: areAwake,
      required: false,
      found: areAwake ? 'during trials (/dev/cpu_dma_latency)' : '/dev/cpu_dma_latency cannot be opened',
      cost: 'cores sleep between packets; in a virtual machine many more trials are void',
      mend: 'run it as root, on a kernel with PM QoS',
    },
    {
      id: 'size',
      title: 'cores and memory',
      works: cpus().length >= 2 && memoryGiB >= 3.5,
      required: false,
      found: `${cpus().length} cores, ${memoryGiB.toFixed(1)} GiB (${(freemem() / 2 ** 30).toFixed(1)} free)`,
      cost: 'trials are voided as disturbed by the host',
      mend: 'use 2 cores and 4 GiB, or a smaller frame size (--set service.width=640 --set service.height=360)',
    },
  ];
}

export async function command(argv: string[]): Promise<number> {
  const { hosts, json } = parseOptions(
    argv,
    { ...jsonOption, hosts: { type: 'string' } },
    `npm run doctor [-- --hosts hosts.json] ${jsonUsage}`,
    'doctor',
  );
  prepareJson(json);
  if (hosts !== undefined) return examineHosts(hosts, json);
  const capabilities = await examine();
  const blocked = blockedBy(capabilities);
  const written = putJson(json, { able: blocked.length === 0, capabilities }, { indent: 1 });
  if (json !== printed)
    process.stdout.write(
      describeCapabilities(capabilities) +
        (blocked.length === 0
          ? 'this machine can run experiments\n'
          : `this machine cannot run experiments: ${blocked.map(capability => capability.title).join(', ')}\n`) +
        written,
    );
  return blocked.length === 0 ? exitStatus.done : exitStatus.machineCannot;
}
