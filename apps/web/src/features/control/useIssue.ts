import { switchesOff, type Command, type CommandField } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { confirm } from "#ui/dialog";
import type { Target } from "./target.ts";
import type { Control, Sent } from "./useControl.ts";
import { useLoad } from "./useLoad.ts";

/** Confirms a command in plain words, if it has consequences, and sends it. */
export type Issue = (command: Command, given: unknown) => Promise<Sent>;

/** Commands of the user: asked for confirmation with device, load and consequence, then sent. */
export function useIssue(target: Target, send: Control["send"]): Issue {
  const { t } = useTranslation("control");
  const { language } = useFormat();
  const load = useLoad(target);
  return async (command, given) => {
    const question = command.changesDevice ? command.confirmation : undefined;
    if (question) {
      const choice = choiceOf(command, given);
      const isSure = await confirm({
        title: t("confirm.title", { question: question[language].split("?")[0], name: target.name }),
        text: [
          question[language].split("?").slice(1).join("?").trim(),
          choice?.consequence?.[language],
          load,
          target.facts.join(", "),
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
export function choiceOf(command: Command, given: unknown) {
  if ("value" in command.arguments || typeof given !== "object" || given === null) return undefined;
  const [field]: readonly CommandField[] = command.arguments;
  if (field?.kind !== "choice") return undefined;
  const value: unknown = Reflect.get(given, field.key);
  return field.choices.find((each) => each.value === value);
}
