/** Limits of one git process; each child process gets the same limits again. */
export interface ProcessLimits {
  readonly memoryMegabytes: number
  readonly cpuSeconds: number
}

/** Limits by the kind of work; `transferSeconds` is the longest a fetch or a push may take. */
export interface GitLimits extends ProcessLimits {
  readonly pushMemoryMegabytes: number
  readonly pushCpuSeconds: number
  readonly transferSeconds: number
}

/** Documented as the defaults of the settings: see `config.ts`. */
export const DEFAULT_LIMITS: GitLimits = {
  memoryMegabytes: 1_024,
  cpuSeconds: 600,
  pushMemoryMegabytes: 128,
  pushCpuSeconds: 120,
  transferSeconds: 1_800,
}

/** Limits for work on data from a client that has not been judged yet. */
export const pushLimits = ({ pushMemoryMegabytes, pushCpuSeconds }: GitLimits): ProcessLimits => ({
  memoryMegabytes: pushMemoryMegabytes,
  cpuSeconds: pushCpuSeconds,
})

/**
 * The shell sets the limits and then becomes the program, which keeps the process id. The heap is limited (`-d`); the address
 * space (`-v`) is a second limit for systems where `-d` ignores memory not grown by brk. A limit unknown to the system is
 * skipped.
 */
const SCRIPT =
  'ulimit -c 0 2>/dev/null; ulimit -d "$1" 2>/dev/null; ulimit -v "$2" 2>/dev/null; ulimit -t "$3" 2>/dev/null; shift 3; exec "$@"'

/** Address space beyond the heap, for packs and their indexes: mapped files do not count as limited memory. */
const MAPPED_MEGABYTES = 512

export function limitedCommand({ memoryMegabytes, cpuSeconds }: ProcessLimits, program: string, args: readonly string[]) {
  const kilobytes = (megabytes: number): string => String(megabytes * 1_024)
  const limits = [kilobytes(memoryMegabytes), kilobytes(memoryMegabytes * 2 + MAPPED_MEGABYTES), String(cpuSeconds)]
  return { command: '/bin/sh', args: ['-c', SCRIPT, 'sh', ...limits, program, ...args] }
}
