import type { GatewayCredential, Principal, Tenant } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { type TestClock, testClock } from '@gateway/testing'
import type { Access, RequestFacts } from '../../core/src/ports/access.ts'
import { localRelay } from '../../core/src/ports/relay.ts'
import { openSecretHasher } from '../../core/src/secrets/secrets.ts'
import { tenants } from '../../core/src/tenancy/collections.ts'
import { openTenantDirectory, type TenantDirectory } from '../../core/src/tenancy/directory.ts'
import { subject } from '../../storage/test/subject.ts'
import type { SqliteStore } from '../../storage-sqlite/src/index.ts'
import { access, type IdentifyParts } from '../src/access.ts'
import { apiKeys, hashKeys } from '../src/collections.ts'
import { jwtVerifier } from '../src/jwt.ts'
import { type KeyRing, keyRing } from '../src/key-ring.ts'
import { localTokens, openLocalToken } from '../src/local-token.ts'
import type { Means } from '../src/wrong-credentials.ts'

export const ADMIN = 'the-admin-token-of-the-tests'
export const LOCAL = 'the-local-token-of-the-tests'
export const SESSION_SECRET = 'a-session-secret-of-some-length-0123456789'

/** A request that comes directly from this machine. */
export const LOCAL_REQUEST: RequestFacts = {
  peerAddress: '127.0.0.1',
  port: 7411,
  httpVersion: '1.1',
  host: 'localhost:7411',
  origin: undefined,
  headers: {},
}

export interface AccessFixture {
  readonly access: Access
  readonly store: SqliteStore
  readonly keys: KeyRing
  readonly directory: TenantDirectory
  readonly clock: TestClock
  readonly refusals: readonly { readonly address: string; readonly means: Means; readonly code: string }[]
  /** Identifies a direct local request with these headers: the principal, or the code of the refusal. */
  who(headers: RequestFacts['headers'], need?: GatewayCredential, over?: Partial<RequestFacts>): Promise<Principal | string>
  tenant(tenantId: string): Promise<Tenant>
  dispose(): Promise<void>
}

/** Sets up everything that identifies callers on a real store, without a gateway around it. */
export async function accessFixture(env: Readonly<Record<string, string>> = {}, over: Partial<IdentifyParts> = {}): Promise<AccessFixture> {
  const clock = testClock()
  const { store, dataDir, dispose } = await subject({ clock })
  await store.prepare([tenants, apiKeys, hashKeys, localTokens])
  const settings = loadSettings({
    env: { ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: LOCAL, GATEWAY_JWT_SECRET: SESSION_SECRET, ...env, GATEWAY_DATA_DIR: dataDir },
    cwd: dataDir,
  })
  const hasher = openSecretHasher({ dataDir })
  const directory = await openTenantDirectory(store, clock, localRelay('test'))
  const keys = keyRing(store, hasher, clock, localRelay('test'))
  const refusals: { address: string; means: Means; code: string }[] = []
  const made = access({
    settings,
    clock,
    directory,
    keys,
    relay: localRelay('test'),
    localToken: await openLocalToken(settings.localToken, { store, hasher, clock, graceMinutes: settings.rotationGraceMinutes }),
    jwt: settings.jwtSecret === undefined ? undefined : jwtVerifier(settings.jwtSecret, clock),
    sessionOf: async () => undefined,
    onRefused: (refusal) => void refusals.push(refusal),
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
        return await made.identify({ ...LOCAL_REQUEST, headers, ...facts }, need)
      } catch (error) {
        return (error as { code: string }).code
      }
    },
    tenant: (tenantId) => directory.create({ name: tenantId, plan: 'free', tenantId }),
    dispose,
  }
}
