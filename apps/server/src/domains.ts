import type { Domain } from "#core";
import { administration } from "#platform/administration";
import { auditLog } from "#access/audit-log";
import { auth } from "#access/auth";
import { bridge } from "#headend/bridge";
import { imports } from "#metering/imports";
import { captcha } from "#access/captcha";
import { codecs } from "#metering/codecs";
import { companies } from "#access/companies";
import { simulation } from "#platform/demo";
import { devices } from "#metering/devices";
import { guessing } from "#access/guessing";
import { letters } from "#access/letters";
import { licence } from "#access/licence";
import { live } from "#metering/live";
import { mappings } from "#headend/mappings";
import { messages } from "#metering/messages";
import { models } from "#metering/models";
import { modems } from "#headend/modems";
import { networkServers } from "#headend/network-servers";
import { polling } from "#headend/polling";
import { uplinks } from "#headend/uplinks";
import { profile } from "#access/profile";
import { services } from "#platform/services";
import { registration } from "#access/registration";
import { retention } from "#headend/retention";
import { shell } from "#platform/shell";
import { users } from "#access/users";

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
