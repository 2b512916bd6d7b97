import { type CallContext, defineService, gatewayInfo, LOCAL_TENANT, provideProcess } from '@gateway/sdk'
import { ComplianceChecks } from '../operations/compliance.ts'
import { GitFolders } from '../operations/git-folders.ts'
import { LIST_FILE, ManagedList } from '../operations/managed-list.ts'

/** The operator's files, once per process: cached state is kept between calls. */
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
 * True for the operator's own tenant. No other tenant sees this machine's files: it could otherwise find out for any path if it
 * exists, by naming it.
 */
export function seesFiles({ tenantId }: Pick<CallContext, 'tenantId'>): boolean {
  return tenantId === LOCAL_TENANT
}

export const MISSING_LIST = `The list of managed repos, ${LIST_FILE} in GATEWAY_ROOT, does not exist. repos_scan with register creates it.`
