import { type CallContext, defineService, gatewayInfo, LOCAL_TENANT, provideProcess } from '@gateway/sdk'
import { ComplianceChecks } from '../operations/compliance.ts'
import { GitFolders } from '../operations/git-folders.ts'
import { LIST_FILE, ManagedList } from '../operations/managed-list.ts'

/** The operator’s files, once per process: what is known of them is kept from call to call. */
export interface OperatorFiles {
  readonly list: ManagedList
  readonly checks: ComplianceChecks
  readonly git: GitFolders
}
export const operatorFiles = defineService<OperatorFiles>('repos.operator-files', 'process')

export const operatorFilesProvider = provideProcess(operatorFiles, {
  uses: { gateway: gatewayInfo },
  create: ({ gateway }) => ({ list: new ManagedList(gateway.root), checks: new ComplianceChecks(), git: new GitFolders() }),
})

/**
 * The operator’s own tenant. This machine’s files are shown to no other: whether a path that a tenant names is there, it could else
 * find out for any path.
 */
export function seesFiles({ tenantId }: Pick<CallContext, 'tenantId'>): boolean {
  return tenantId === LOCAL_TENANT
}

export const MISSING_LIST = `There is no list of managed repos, ${LIST_FILE} in GATEWAY_ROOT. repos_scan with register makes it.`
