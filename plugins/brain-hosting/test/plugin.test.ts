import brain from '@gateway/plugin-brain'
import entitlements from '@gateway/plugin-entitlements'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { pluginSuite } from '@gateway/testing'
import plugin from '../src/index.ts'

pluginSuite(plugin, { folder: import.meta.dirname, with: [git, memory, entitlements, brain] })
