import type { Config } from "#config";
import type { Services } from "./http/context.ts";
import type { Api } from "./http/serve.ts";
import type { ScheduledWork } from "./schedule/index.ts";

/** Stops a background part in an orderly way, within seconds and without losing acknowledged data. */
export type Stop = () => Promise<void>;

/** A domain as `app.ts` and `main.ts` use it: its calls for the role api, its background parts by role. */
export interface Domain {
  readonly name: string;
  /** Aborts a start before anything is made. Errors: Error that names the setting. */
  readonly requireSettings?: (config: Config) => void;
  readonly calls?: (api: Api) => void | Promise<void>;
  readonly api?: (services: Services, http: Api["fastify"]) => Stop | Promise<Stop>;
  readonly worker?: (services: Services) => Stop | Promise<Stop>;
  readonly broker?: (services: Services) => Stop | Promise<Stop>;
  /** Done by one process of the role worker at a time. */
  readonly scheduled?: readonly ScheduledWork[];
}

type Role = "worker" | "broker" | "api";

/** A background part, started once per process with the first of these roles that the process has. */
export function startedOnce<Some extends Role>(
  roles: readonly Some[],
  start: (services: Services) => Stop | Promise<Stop>,
): Record<Some, (services: Services) => Stop | Promise<Stop>> {
  const startIn = (role: Some) => (services: Services) =>
    roles.find((each) => services.config.roles.includes(each)) === role
      ? start(services)
      : () => Promise.resolve();
  return Object.fromEntries(roles.map((role) => [role, startIn(role)])) as ReturnType<
    typeof startedOnce<Some>
  >;
}
