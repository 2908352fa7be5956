import { control, devices } from "@metrum/contract";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Dialog } from "#ui/dialog";
import { TextField } from "#ui/field";
import { say } from "#ui/snackbar";
import { StatusGlyph } from "#ui/status";
import { BlockCard } from "./BlockCard.tsx";
import { History } from "./History.tsx";
import { blocksOf, type Block } from "./offered.ts";
import { useControl } from "./useControl.ts";
import { useIssue, type Device } from "./useIssue.ts";

interface Props {
  readonly device_id: number | undefined;
  readonly model_id: number | undefined;
  readonly onClose: () => void;
}

/** Controls are enabled so long after loading, that no click meant for what was there before hits one. */
const enabledAfterMs = 100;

/** Commands for one device, drawn from the controls of its model. Without a device it closes with msg_79. */
export function ControlDialog({ device_id, onClose }: Props) {
  const { t } = useTranslation("control");
  const isGiven = device_id !== undefined;
  const query = useCall(
    devices.get,
    { params: { id: String(device_id) } },
    { isQuiet: true, isEnabled: isGiven },
  );
  const device = query.data?.metering_device;
  const isMissing = !isGiven || (query.isError && device === undefined);
  useEffect(() => {
    if (!isMissing) return;
    void say("msg_79", {}, "error");
    onClose();
  }, [isMissing, onClose]);
  if (isMissing) return null;
  return (
    <Dialog
      title={device ? t("title", { name: device.name }) : t("loadingTitle")}
      size="95%"
      onClose={onClose}
      closesOutside={false}
    >
      {device ? (
        <Controls device={device} />
      ) : (
        <div className="dialog-busy" role="status">
          <span className="spinner" />
          <span>{t("loading")}</span>
        </div>
      )}
    </Dialog>
  );
}

/** True some time after the first drawing. */
function useEnabled(): boolean {
  const [isEnabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), enabledAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return isEnabled;
}

function Controls({ device }: { readonly device: Device }) {
  const { t } = useTranslation("control");
  const { language } = useFormat();
  const isEnabled = useEnabled();
  const [search, setSearch] = useState("");
  const searchField = useRef<HTMLInputElement>(null);
  const { commands, open, isBusy, send } = useControl(device.id);
  const issue = useIssue(device, send);
  const all = blocksOf(device.model.options.control);
  const shown = all.filter((block) => isFound(block, search, language, t(`block.${block.id}`)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    searchField.current?.focus();
  };
  const isDisabled = !isEnabled || isBusy;
  return (
    <div className="control-dialog" onKeyDown={onKeyDown} aria-busy={isBusy}>
      <div className="control-find">
        <TextField
          ref={searchField}
          type="search"
          label={t("find")}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <p className="control-note">{t("kept")}</p>
      </div>
      <div className="control-blocks">
        <Frozen />
        {shown.length === 0 ? <p role="status">{t("notFound")}</p> : null}
        {shown.map((block) => (
          <BlockCard
            key={block.id}
            block={block}
            device={device}
            status={device.status}
            isOpen={open !== undefined}
            isDisabled={isDisabled}
            issue={issue}
          />
        ))}
      </div>
      <History commands={commands} isDisabled={isDisabled} issue={issue} />
    </div>
  );
}

function isFound({ commands }: Block, search: string, language: "ru" | "en" | "mn", title: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [title, ...commands.map(({ command }) => command.title[language])].some((each) =>
    each.toLowerCase().includes(wanted),
  );
}

/** Outgoing actuation was stopped by the provider. */
function Frozen() {
  const { t } = useTranslation("control");
  const [freeze] = useCall(control.state, {}, { isQuiet: true }).data?.freezes ?? [];
  if (!freeze) return null;
  return (
    <p className="control-frozen" role="alert">
      <StatusGlyph kind="alarm" />
      {t("frozen", { reason: freeze.reason })}
    </p>
  );
}
