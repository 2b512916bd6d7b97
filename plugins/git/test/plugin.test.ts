import { pluginSuite } from '@gateway/testing'
import git from '../src/index.ts'

pluginSuite(git, { folder: import.meta.dirname })
