/** What the process of the model is told. After `end` it makes the vector it is at, and goes. */
export type Request = { readonly kind: 'embed'; readonly id: number; readonly text: string } | { readonly kind: 'end' }
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string }

/** What it is started with, as arguments. */
export interface ChildArguments {
  readonly library: string
  readonly models: string
}
