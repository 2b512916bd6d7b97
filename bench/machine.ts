import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

export function machine(folder: string): string {
  const cores = cpus()
  return [
    `${cores[0]?.model.trim() ?? 'unknown processor'}, ${cores.length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${fileSystem(folder)} for the stores`,
    `Node ${process.versions.node}`,
    `${process.platform} ${process.arch}`,
    `load average ${(loadavg()[0] ?? 0).toFixed(1)} before the run`,
  ].join(' · ')
}

function fileSystem(folder: string): string {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, at = '']) => at === '/' || folder === at || folder.startsWith(`${at}/`))
    .sort(([, a = ''], [, b = '']) => b.length - a.length)
  return mounts[0]?.[2] ?? 'unknown'
}
