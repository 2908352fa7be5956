import type { Config } from "#config";

/**
 * Implementation of a service of the catalogue. Most services have none: they are only agreed upon and
 * billed.
 */
export interface ServiceKind {
  /** Whether this installation is configured for it. */
  readonly isConfigured: (config: Config) => boolean;
  /** Settings in stored form. Throws the problem wrong_input. */
  readonly checkSettings: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}
