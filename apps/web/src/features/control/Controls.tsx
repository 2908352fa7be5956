import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FreezeNote } from "#freeze";
import { useFormat } from "#lib/format";
import { BlockCard } from "./cards/BlockCard.tsx";
import { Groups } from "./Groups.tsx";
import { History } from "./outcome/History.tsx";
import { blocksOf, type Block } from "./offered.ts";
import type { Target } from "./target.ts";
import { useControl } from "./useControl.ts";
import { useIssue } from "./useIssue.ts";

/** Controls are enabled so long after loading, that no click meant for what was there before hits one. */
const enabledAfterMs = 100;

/** True some time after the first drawing. */
function useEnabled(): boolean {
  const [isEnabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), enabledAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return isEnabled;
}

export function Loading() {
  const { t } = useTranslation("control");
  return (
    <div className="dialog-busy" role="status">
      <span className="spinner" />
      <span>{t("loading")}</span>
    </div>
  );
}

interface Props {
  readonly target: Target;
  /** The card of its transparent port, if it has a line. */
  readonly bridge: ReactNode;
  /** Of the commands only those whose names have it. */
  readonly search: string;
}

/** Groups of commands, their blocks, and the history of a device or gateway. */
export function Controls({ target, bridge, search }: Props) {
  const { t } = useTranslation("control");
  const { language } = useFormat();
  const isEnabled = useEnabled();
  const { commands, history, open, isBusy, send } = useControl(target.id);
  const issue = useIssue(target, send);
  const all = blocksOf(target.controls);
  const shown = all.filter((block) => isFound(block, search, language, t(`block.${block.id}`)));
  const shownBridge = isWord(search, t("block.bridge")) ? bridge : null;
  const isDisabled = !isEnabled || isBusy;
  return (
    <div className="control-dialog" aria-busy={isBusy} tabIndex={-1} data-autofocus>
      <div className="control-find">
        <Groups blocks={shown} hasBridge={shownBridge !== null} />
        <p className="control-note">{t("kept")}</p>
      </div>
      <div className="control-middle">
        <div className="control-blocks">
          <FreezeNote />
          {shown.length === 0 && shownBridge === null ? <p role="status">{t("notFound")}</p> : null}
          {shown.map((block) => (
            <BlockCard key={block.id} {...{ block, target, commands, open, isDisabled, issue }} />
          ))}
          {shownBridge}
        </div>
      </div>
      <History {...{ commands, history }} isDisabled={isDisabled} issue={issue} />
    </div>
  );
}

const isWord = (search: string, title: string): boolean =>
  title.toLowerCase().includes(search.trim().toLowerCase());

const isFound = ({ commands }: Block, search: string, language: "ru" | "en" | "mn", title: string) =>
  [title, ...commands.map(({ command }) => command.title[language])].some((each) => isWord(search, each));
