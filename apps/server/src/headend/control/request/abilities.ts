import { modelById } from "@metrum/catalogue";
import { problem } from "@metrum/contract/core";
import type { UnableReason } from "@metrum/contract/headend";
import {
  argumentsSchema,
  readManagement,
  type Management,
  type Narrowings,
  type RequestedCommand,
} from "@metrum/vocabulary";

/** The only command of a request. Problem: command_unsupported for unknown keys, or more than one command. */
export function onlyCommand(management: Management): RequestedCommand {
  const { commands, unknown } = readManagement(management);
  const [command] = commands;
  if (!command || commands.length > 1 || unknown.length > 0)
    throw problem("command_unsupported", { attributes: { management: Object.keys(management) } });
  return command;
}

/** Why devices or gateways of a model cannot carry out a command; undefined: they can. */
export function inability(modelId: number, { command, given }: RequestedCommand): UnableReason | undefined {
  const model = modelById(modelId);
  const own = model?.kind === "meter" ? model : model?.kind === "gateway" ? model.control : undefined;
  if (!own) return "model";
  const controls: Readonly<Record<string, Narrowings>> = own.controls;
  const narrowings = Object.hasOwn(controls, command.key) ? controls[command.key] : undefined;
  if (!narrowings || !Object.hasOwn(own.driver.commands ?? {}, command.key)) return "model";
  return argumentsSchema(command, narrowings).safeParse(given).success ? undefined : "arguments";
}
