import type { ServiceClient } from '@gateway/sdk/command'
import type { ClientLibrary } from '../mcp-clients.ts'

/** A file for the client's folders; its path is relative to the project. */
export interface LibraryFile {
  readonly path: string
  readonly text: string
}
export interface Library {
  readonly files: readonly LibraryFile[]
  /** Names that clients do not accept, and that must not become part of a path. */
  readonly unusable: readonly string[]
}

interface Named {
  readonly name: string
  readonly description: string
}

/** Names of the Agent Skills format; everything else is not a name of a file here. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1_024
const isUsable = ({ name }: Named): boolean => name.length <= MAX_NAME && NAME.test(name)

export async function readLibrary(service: ServiceClient, { skills, agents }: ClientLibrary): Promise<Library> {
  const ofSkills = (await service.get('/api/skills')) as { readonly skills: readonly Named[] }
  const ofAgents = agents ? ((await service.get('/api/agents')) as { readonly agents: readonly Named[] }).agents : []
  const files: LibraryFile[] = []
  for (const skill of ofSkills.skills.filter(isUsable)) {
    const { playbook } = (await service.get(`/api/skills/${skill.name}`)) as { readonly playbook: string }
    files.push({ path: `${skills}/${skill.name}/SKILL.md`, text: fileText(skill, playbook) })
  }
  for (const agent of ofAgents.filter(isUsable)) {
    const { instructions } = (await service.get(`/api/agents/${agent.name}`)) as { readonly instructions: string }
    files.push({ path: `${agents?.folder}/${agent.name}${agents?.extension}`, text: fileText(agent, instructions) })
  }
  return { files, unusable: [...ofSkills.skills, ...ofAgents].filter((one) => !isUsable(one)).map(({ name }) => name) }
}

/** A JSON string is a YAML string too. */
const fileText = ({ name, description }: Named, body: string): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description.slice(0, MAX_DESCRIPTION))}\n---\n\n${body.trim()}\n`
