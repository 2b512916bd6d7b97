import type { RoutingDecision } from '@gateway/plugin-providers/api'
import type { Task } from '@gateway/plugin-tasks/api'

/**
 * The model that a task is pinned to. `elsewhere`: an absolute pin to a model that no provider of the gateway has. A model that is a
 * preference is taken where it is available, and otherwise left to routing.
 */
export function pinOf(
  { recommendedModel, recommendedModelPreference }: Pick<Task, 'recommendedModel' | 'recommendedModelPreference'>,
  serves: (model: string) => boolean,
): { readonly model?: string } | 'elsewhere' {
  if (!recommendedModel) return {}
  if (serves(recommendedModel)) return { model: recommendedModel }
  return recommendedModelPreference === true ? {} : 'elsewhere'
}

export const stampsOf = ({ provider, model, tier }: RoutingDecision) => ({
  routedModel: model,
  executionProvider: provider,
  workTypeTier: tier,
})
