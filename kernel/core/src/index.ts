export { LOCAL_TENANT } from '@gateway/sdk'
export type { Adapters, KernelPart } from './boot/adapters.ts'
export type { BootedGateway, BootOptions } from './boot/boot.ts'
export { boot } from './boot/boot.ts'
export type { OwnCommand } from './boot/commands.ts'
export { BootError, blame } from './boot/faults.ts'
export { kernelRecords } from './boot/kernel-records.ts'
export { everyPlugin } from './boot/load.ts'
export { plan } from './boot/plan.ts'
export { preparePlugins } from './boot/prepare.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  AdminDisabled,
  errorRecord,
  InputRequired,
  InternalError,
  kernelErrors,
  Overloaded,
  PayloadTooLarge,
  RateLimited,
  TenantSuspended,
  Unauthorized,
  UnknownTool,
} from './errors.ts'
export type { Call, CompletionRequest, Gateway, Inventory, Offered, Outcome, PluginReport } from './gateway.ts'
export { newId } from './ids.ts'
export type { Access, AccessParts, KeyAdmin, OpenedAccess, RequestFacts, TenantStatuses } from './ports/access.ts'
export {
  type AuditEntry,
  type AuditTrail,
  auditFailed,
  type CallOrigin,
  type Refusals,
  UnwrittenRecordError,
  writeFailureMessage,
} from './ports/audit.ts'
export type { HealthParts } from './ports/health.ts'
export type { JobParts, JobRunner } from './ports/jobs.ts'
export type { Nodes, Presence } from './ports/nodes.ts'
export { localRelay, type Relay, type RelayMessage, type Subscriber } from './ports/relay.ts'
export type { StoreFinding, StoreKind, StoreParts } from './ports/store-kind.ts'
export { Admission, shareOf } from './registry/admission.ts'
export { boundedAnswer, fits } from './registry/answer-limit.ts'
export { isTemplate, matchResource } from './registry/resources.ts'
export { neededPlugins } from './registry/uses.ts'
export { admits, capabilityFor, decide, maySee, type Standing, standingKey } from './rights/may.ts'
export { openSealed, sealText } from './secrets/sealing.ts'
export { keyFor, openSecretHasher, type SecretHasher, secretHasher } from './secrets/secrets.ts'
export { PROBER, reachOf } from './tenancy/reach.ts'
export { VERSION } from './version.ts'
