import { loadSettings } from '@gateway/kernel'
import type { Credential, Principal, Tenant } from '@gateway/sdk'
import { type TestClock, testClock } from '@gateway/sdk/testing'
import { type Access, type AccessParts, access, type Means } from '../../src/access/access.ts'
import { jwtVerifier } from '../../src/access/jwt.ts'
import { type KeyRing, keyRing } from '../../src/access/key-ring.ts'
import { localTokens, openLocalToken } from '../../src/access/local-token.ts'
import type { RequestFacts } from '../../src/access/origin.ts'
import { openSecretHasher } from '../../src/access/secrets.ts'
import { loneRelay } from '../../src/nodes/relay.ts'
import type { SqliteStore } from '../../src/storage/sqlite/index.ts'
import { kernelCollections } from '../../src/tenancy/collections.ts'
import { openTenantDirectory, type TenantDirectory } from '../../src/tenancy/directory.ts'
import { subject } from '../storage/subject.ts'

export const ADMIN = 'the-admin-token'
export const LOCAL = 'the-local-token'
export const SESSION_SECRET = 'a-session-secret-of-some-length-0123456789'

export interface AccessFixture {
  readonly access: Access
  readonly store: SqliteStore
  readonly keys: KeyRing
  readonly directory: TenantDirectory
  readonly clock: TestClock
  readonly refusals: readonly { readonly means: Means; readonly code: string }[]
  /** What identification says of a direct local request with these headers: the principal, or the code of the refusal. */
  who(headers: RequestFacts['headers'], need?: Credential, over?: Partial<RequestFacts>): Promise<Principal | string>
  /** A new, active tenant. */
  tenant(tenantId: string): Promise<Tenant>
  dispose(): Promise<void>
}

/** Everything that decides who is calling, on a real store, without a gateway around it. */
export async function accessFixture(env: Readonly<Record<string, string>> = {}, over: Partial<AccessParts> = {}): Promise<AccessFixture> {
  const clock = testClock()
  const { store, dataDir, dispose } = await subject({ clock })
  await store.prepare([...kernelCollections, localTokens])
  const settings = loadSettings({
    env: { ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: LOCAL, GATEWAY_JWT_SECRET: SESSION_SECRET, ...env, GATEWAY_DATA_DIR: dataDir },
    cwd: dataDir,
  })
  const hasher = openSecretHasher({ dataDir })
  const directory = await openTenantDirectory(store, clock, loneRelay('test'))
  const keys = keyRing(store, hasher, clock, loneRelay('test'))
  const refusals: { means: Means; code: string }[] = []
  const made = access({
    settings,
    clock,
    directory,
    keys,
    relay: loneRelay('test'),
    localToken: await openLocalToken(settings.localToken, { store, hasher, clock, graceMinutes: settings.rotationGraceMinutes }),
    jwt: settings.jwtSecret === undefined ? undefined : jwtVerifier(settings.jwtSecret, clock),
    onRefused: ({ means, code }) => void refusals.push({ means, code }),
    ...over,
  })
  return {
    access: made,
    store,
    keys,
    directory,
    clock,
    refusals,
    async who(headers, need, facts) {
      try {
        return await made.identify({ peerAddress: '127.0.0.1', host: 'localhost', origin: undefined, headers, ...facts }, need)
      } catch (error) {
        return (error as { code: string }).code
      }
    },
    tenant: (tenantId) => directory.create({ name: tenantId, plan: 'free', tenantId }),
    dispose,
  }
}
