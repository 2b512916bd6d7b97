import { type CollectionRef, type DoctorCheck, type DoctorScene, doctorCheck } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { rowsOf } from '@gateway/storage'
import { contributed, type Offline, OfflineServices } from '../offline.ts'
import type { Finding } from './finding.ts'
import { runCheck } from './run-check.ts'

/** Runs the checks of the families, each separately. */
export async function checkFamilies(settings: Settings, offline: Offline): Promise<readonly Finding[]> {
  const scene: DoctorScene = {
    dataDir: settings.dataDir,
    root: settings.root,
    documents: (collection) => documentsOf(settings, collection) as ReturnType<DoctorScene['documents']> as never,
  }
  await using services = new OfflineServices(offline, settings)
  const found: Finding[] = []
  // Sequential: the checks may read the whole store, and share its disk with the service.
  for (const check of contributed(doctorCheck, offline, services)) found.push(...(await runCheck(check.name, () => look(check, scene))))
  return found
}

async function look({ name, check }: DoctorCheck, scene: DoctorScene): Promise<readonly Finding[]> {
  return [await check(scene)].flat().map((finding) => ({ check: name, ...finding }))
}

async function* documentsOf(settings: Settings, collection: CollectionRef): AsyncGenerator<{ tenantId: string; document: unknown }> {
  const { chosenStore, hasDocuments } = await import('@gateway/defaults/stores')
  if (!hasDocuments(settings)) return
  const rows = await chosenStore(settings).rows(settings)
  if (rows === undefined) return
  try {
    for await (const { tenant, doc } of rowsOf(rows, collection, undefined)) yield { tenantId: tenant, document: doc }
  } finally {
    await rows.close()
  }
}
