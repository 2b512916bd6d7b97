import { admits, type Gateway } from '@gateway/kernel'
import type { Dashboard } from '@gateway/pages'
import { type AttentionItem, type AttentionSource, type AttentionView, attentionSource, type Principal } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'

const MAX_ITEMS = 100
/** A source that does not answer within this time is left out and named. */
const MAX_LOOK_MS = 5_000

type Found = Awaited<ReturnType<AttentionSource['look']>>

/** Collects the caller's attention items over all families. Sources that fail or take too long are left out and named. */
export function attention(
  gateway: Pick<Gateway, 'collect' | 'settings' | 'log'>,
  pages: Dashboard,
): (caller: Principal) => Promise<AttentionView> {
  const { log, settings } = gateway

  async function ask(source: AttentionSource): Promise<Found | undefined> {
    try {
      return await within(source.look(MAX_ITEMS), MAX_LOOK_MS, undefined)
    } catch (error) {
      log.warn({ err: error, kind: source.kind }, 'items that wait for a person could not be read')
      return undefined
    }
  }

  return async (caller) => {
    const sources = gateway.collect(attentionSource, caller).filter(({ capability }) => admits(caller, capability, settings.rbacEnforce))
    const looks = await Promise.all(sources.map(async (source) => ({ source, found: await ask(source) })))
    const items = looks
      .flatMap(({ source, found }) => (found?.items ?? []).map((item) => ({ item, source })))
      .sort((a, b) => (a.item.at < b.item.at ? 1 : a.item.at > b.item.at ? -1 : 0))
    const listed = items.slice(0, MAX_ITEMS)
    const count = looks.reduce((sum, { found }) => sum + (found?.count ?? 0), 0)
    const shown = listed.reduce((sum, { item }) => sum + (item.count ?? 1), 0)
    const kinds = new Set(listed.map(({ source }) => source))
    return {
      count,
      more: count > shown,
      items: listed.map(({ item, source }) => entry(item, source, caller)),
      actions: Object.fromEntries([...kinds].flatMap((source) => actionsOf(source, caller))),
      failed: looks.flatMap(({ source, found }) => (found === undefined ? [source.kind] : [])),
    }
  }

  function actionsOf({ kind, actions = [] }: AttentionSource, caller: Principal): [string, AttentionView['actions'][string]][] {
    const shown = pages.actionsFor(caller, actions)
    return shown.length === 0 ? [] : [[kind, shown]]
  }

  function entry(
    { link, count = 1, ...item }: AttentionItem,
    { kind }: AttentionSource,
    caller: Principal,
  ): AttentionView['items'][number] {
    const to = link && pages.linkTo(caller, link.to, link.with ?? {})
    return { ...item, kind, count, ...(to && { link: to }) }
  }
}
