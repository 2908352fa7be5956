import type { Config } from "#config";

/** What the platform does for a service of the catalogue. Most do nothing by themselves: they are agreed upon and billed. */
export interface ServiceKind {
  /** Whether this installation is set up for it. */
  readonly isConfigured: (config: Config) => boolean;
  /** Settings as they are stored. Throws the problem wrong_input. */
  readonly checkSettings: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}
