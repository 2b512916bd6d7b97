import type { Agent, Skill } from '@gateway/plugin-agents/api'
import type { InstalledPackage } from '../api.ts'

const CATEGORIES: readonly Agent['category'][] = ['core', 'swarm', 'dev', 'analysis', 'neural', 'ops', 'data', 'content', 'code_hosting']

/** Returns a package as an agent of the registry; a category unknown to the registry becomes `dev`. */
export function agentOf({ name, description, category, tools }: InstalledPackage, instructions: string): Agent {
  const known = CATEGORIES.find((one) => one === category) ?? 'dev'
  const says = { name, category: known, description, tools: [...tools], toolCount: tools.length }
  // A package says nothing of where it runs, and its tasks may need a work tree.
  return { ...says, runs: 'runner', standing: false, origin: 'installed', instructions }
}

export function skillOf({ name, description }: InstalledPackage, playbook: string): Skill {
  return { name, description, triggers: [], origin: 'installed', playbook }
}
