import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { pluginSuite } from '@gateway/testing'
import brain from '../src/index.ts'

pluginSuite(brain, { folder: import.meta.dirname, with: [git, memory] })
