import type { Domain } from "#core";
import { administration } from "#administration";
import { auditLog } from "#audit-log";
import { auth } from "#auth";
import { bridge } from "#bridge";
import { imports } from "#imports";
import { captcha } from "#captcha";
import { codecs } from "#codecs";
import { companies } from "#companies";
import { simulation } from "#demo";
import { devices } from "#devices";
import { guessing } from "#guessing";
import { letters } from "#letters";
import { licence } from "#licence";
import { live } from "#live";
import { mappings } from "#mappings";
import { messages } from "#messages";
import { models } from "#models";
import { modems } from "#modems";
import { networkServers } from "#network-servers";
import { polling } from "#polling";
import { uplinks } from "#uplinks";
import { profile } from "#profile";
import { services } from "#services";
import { registration } from "#registration";
import { retention } from "#retention";
import { shell } from "#shell";
import { users } from "#users";

/** Every domain, in starting order; they are stopped in the reverse one. */
export const domains: readonly Domain[] = [
  letters,
  companies,
  users,
  guessing,
  captcha,
  auth,
  profile,
  registration,
  shell,
  models,
  messages,
  devices,
  live,
  codecs,
  uplinks,
  polling,
  bridge,
  imports,
  mappings,
  networkServers,
  simulation,
  modems,
  licence,
  administration,
  auditLog,
  retention,
  services,
];
