/**
 * Tools and routes that wait for models, whose answers take as long as they take. They have no objective for latency unless
 * `routeOverrides` sets one.
 */
export const MODEL_CALLS: ReadonlySet<string> = new Set([
  'model-endpoint.chat',
  'model-endpoint.count-tokens',
  'model-endpoint.embeddings',
  'model-endpoint.messages',
  'model-endpoint.model',
  'model-endpoint.models',
  'model-endpoint.responses',
  'agents_invoke',
  'skills_invoke',
  'dispatch_cycle',
  'schedules_run_now',
  'morning_sweep',
  'evening_sweep',
  'sessions.post-message',
])
