import type { ADAPTERS } from '../schema.ts'
import type { Adapter } from './adapter.ts'
import { claude } from './adapter-claude.ts'
import { codex } from './adapter-codex.ts'
import { gemini } from './adapter-gemini.ts'
import { scripted, shell } from './adapter-shell.ts'

export const adapters: Readonly<Record<(typeof ADAPTERS)[number], Adapter>> = { claude, codex, gemini, shell, scripted }
