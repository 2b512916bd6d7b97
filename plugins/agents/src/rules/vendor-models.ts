import type { Tier } from '@gateway/plugin-providers/api'

/**
 * Tiers of models named in the front matter of other programs: whole names (`opus`) or parts of longer ones (`claude-opus-4-1`,
 * `gpt-5-mini`). The first line that has a part decides, so small variants come before their families.
 */
const TIER_OF_PARTS: readonly (readonly [tier: Tier, parts: readonly string[]])[] = [
  ['budget', ['haiku', 'mini', 'nano', 'flash', 'lite', 'small', 'instant', 'tiny', '8b', '7b']],
  ['ultra', ['ultra']],
  ['premium', ['opus', 'pro', 'o1', 'o3', 'large', 'max', 'reasoner', 'r1', '405b']],
  ['standard', ['sonnet', 'gpt', 'gemini', 'medium', 'grok', 'deepseek', 'qwen', 'llama', 'mistral', 'codex', 'kimi', 'glm', 'claude']],
]

/** Returns the tier for a model's name; undefined for `inherit`, `auto` and unknown names. */
export function tierOfModel(model: string): Tier | undefined {
  const parts = model
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap((part) => [part, part.replace(/\d+$/, '')])
  return TIER_OF_PARTS.find(([, known]) => known.some((part) => parts.includes(part)))?.[0]
}
