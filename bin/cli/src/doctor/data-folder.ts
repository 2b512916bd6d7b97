import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Finding, findings } from './finding.ts'

const LOCAL: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x2fc12fc1: 'zfs',
  0xf2f52010: 'f2fs',
  0x794c7630: 'overlay',
}
/** The store's locks and its write-ahead log do not hold on these file systems. */
const NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'nfs',
  0xff534d42: 'cifs',
  0xfe534d42: 'smb',
  0x01021997: '9p',
  0x00c36400: 'ceph',
}
const TMPFS = 0x01021994

const LOW_BYTES = 1024 ** 3

/** Checks that the service can write to its data folder, and the kind of disk it is on. */
export async function checkDataFolder(dataDir: string): Promise<Finding> {
  const { ok, warn, fail } = findings('data folder')
  const folder = await nearestExisting(dataDir)
  if (!(await can(folder, constants.W_OK | constants.X_OK))) {
    return fail(`${folder} cannot be written by this user`, 'Give it to the user who runs the service, or set GATEWAY_DATA_DIR.')
  }
  const { type, bavail, bsize } = await statfs(folder)
  const free = Number(bavail) * Number(bsize)
  const kind = LOCAL[type] ?? NETWORK[type] ?? (type === TMPFS ? 'tmpfs' : `file system 0x${type.toString(16)}`)
  const what = `${dataDir}${folder === dataDir ? '' : ' (made at the first start)'} on ${kind}, ${(free / 1024 ** 3).toFixed(1)} GiB free`
  if (NETWORK[type]) return fail(what, 'Put the data on a local disk: locks and write-ahead logs do not hold over a network.')
  if (type === TMPFS) return warn(what, 'This is memory: the data is gone at the next boot. Set GATEWAY_DATA_DIR to a folder on a disk.')
  if (free < LOW_BYTES) return warn(what, 'Make room: when the disk is full, writes are refused.')
  return ok(what)
}

async function nearestExisting(path: string): Promise<string> {
  return (await can(path, constants.F_OK)) || path === dirname(path) ? path : nearestExisting(dirname(path))
}

async function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
