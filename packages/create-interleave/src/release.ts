/** The commands and versions of a release. Until the first one, no package is on npm: apps take them from a clone. */
export interface Release {
  /** The command that creates an app, up to its options: in a clone of the repository until there is a release. */
  readonly create: string
  /** The same, with a directory. */
  readonly createMine: string
  /** Says, before the commands of `startProject`, where to unpack a project and to run them. */
  readonly unpack: string
  /** Returns the commands that start a project which was unpacked as a folder. */
  startProject(folder: string): string
  /** Returns the version of one of our packages, for the dependencies of an app. */
  versionOf(name: string): string
}

/** Returns the release of a version: all packages have one version, which is 0.0.0 until they are published. */
export function releaseOf(version: string): Release {
  const start = 'npm install && npm run dev'
  return isPublished(version)
    ? {
        create: 'npm create interleave@latest [directory] --',
        createMine: 'npm create interleave@latest my-agent',
        unpack: 'Unzip it, then run:',
        startProject: (folder) => `cd ${folder} && ${start}`,
        versionOf: () => `^${version}`,
      }
    : {
        create: 'npm run new -- [directory]',
        createMine: 'npm run new -- ../my-agent',
        unpack: 'Unzip it next to a clone of Interleave, then run in the clone:',
        startProject: (folder) => `npm run pack -- ../${folder} && cd ../${folder} && ${start}`,
        versionOf: (name) => `file:${tarballOf(name)}`,
      }
}

export const isPublished = (version: string): boolean => version !== '0.0.0'

/** Returns the path, in an app, of a package that was packed from a clone. */
export const tarballOf = (name: string): string => `interleave/${name.slice(name.indexOf('/') + 1)}.tgz`

/** Returns dependencies with the versions of our packages. */
export const withVersions = (
  dependencies: Readonly<Record<string, string>>,
  { versionOf }: Release,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      name.startsWith('@interleave/') ? versionOf(name) : range,
    ]),
  )
