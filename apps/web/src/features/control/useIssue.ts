import type { devices, ReplyOf } from "@metrum/contract";
import { switchesOff, type Command, type CommandField } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { confirm } from "#ui/dialog";
import type { Control, Sent } from "./useControl.ts";

export type Device = ReplyOf<typeof devices.get>["metering_device"];

/** Confirms a command in plain words, if it has consequences, and sends it. */
export type Issue = (command: Command, given: unknown) => Promise<Sent>;

/** Commands of the user: asked for confirmation with device, load and consequence, then sent. */
export function useIssue(device: Device, send: Control["send"]): Issue {
  const { t } = useTranslation("control");
  const { language, number } = useFormat();
  const { zone } = useSession();
  const reading = device.last_reading;
  const load =
    reading === null || reading.value === null
      ? ""
      : t("confirm.reading", {
          value: number(reading.value),
          unit: reading.unit,
          time: formatDateTime(reading.at, zone),
        });
  return async (command, given) => {
    const question = command.changesDevice ? command.confirmation : undefined;
    if (question) {
      const choice = choiceOf(command, given);
      const isSure = await confirm({
        title: t("confirm.title", { question: question[language].split("?")[0], name: device.name }),
        text: [
          question[language].split("?").slice(1).join("?").trim(),
          choice?.consequence?.[language],
          load,
          [device.model.title, device.deviceID, device.place].filter((each) => each !== "").join(", "),
        ]
          .filter((each) => each !== undefined && each !== "")
          .join(". "),
        action: choice?.title[language] ?? command.title[language],
        isHarmful: switchesOff({ command, given }),
        size: "25%",
      });
      if (!isSure) return "refused";
    }
    return send(command, given);
  };
}

/** The choice of a command whose argument is one of a few. */
function choiceOf(command: Command, given: unknown) {
  if ("value" in command.arguments || typeof given !== "object" || given === null) return undefined;
  const [field]: readonly CommandField[] = command.arguments;
  if (field?.kind !== "choice") return undefined;
  const value: unknown = Reflect.get(given, field.key);
  return field.choices.find((each) => each.value === value);
}
