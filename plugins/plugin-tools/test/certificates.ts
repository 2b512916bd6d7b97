import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { DAY_MS } from '@gateway/sdk'

/** Certificates for tests, including expired ones, made here because no common tool makes those. */

export interface Certificate {
  readonly cert: string
  readonly key: string
}
interface Wanted {
  readonly host: string
  readonly from?: Date
  readonly until?: Date
}

/** A test authority: its certificate to trust, and a way to issue others. */
export function authority(): { readonly cert: string; issue(wanted: Wanted): Certificate } {
  const name = 'Authority of a test'
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extension = der(0x30, oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))))
  const signed = { issuer: name, by: keys.privateKey }
  return {
    cert: certificate({ ...signed, subject: name, key: keys.publicKey, ...validity({}), extension }),
    issue({ host, ...wanted }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const names = der(0x30, oid('551d11'), der(0x04, der(0x30, der(0x82, Buffer.from(host)))))
      const cert = certificate({ ...signed, subject: host, key: publicKey, ...validity(wanted), extension: names })
      return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    },
  }
}

/** A certificate that signs itself, as a proxy makes one that has none yet. */
export function selfSigned(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = der(0x30, oid('551d11'), der(0x04, der(0x30, der(0x82, Buffer.from(host)))))
  const cert = certificate({ issuer: host, by: privateKey, subject: host, key: publicKey, ...validity({}), extension: names })
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const validity = ({ from = new Date(Date.now() - DAY_MS), until = new Date(Date.now() + DAY_MS) }: Partial<Wanted>) => ({ from, until })

interface Parts {
  readonly subject: string
  readonly issuer: string
  readonly key: KeyObject
  readonly by: KeyObject
  readonly from: Date
  readonly until: Date
  readonly extension: Buffer
}

/** RFC 5280, as far as TLS needs it: one extension, ECDSA with SHA-256. */
function certificate({ subject, issuer, key, by, from, until, extension }: Parts): string {
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    named(issuer),
    der(0x30, time(from), time(until)),
    named(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  )
  const whole = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), sign('sha256', content, by)))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const named = (name: string): Buffer => der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))))
/** `YYMMDDHHMMSSZ` */
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
