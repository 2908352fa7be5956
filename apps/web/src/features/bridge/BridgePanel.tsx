import { useTranslation } from "react-i18next";
import { reasonOf } from "#lib/call";
import { Button } from "#ui/button";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import "./bridge.css";
import { OpenPort } from "./OpenPort.tsx";
import type { LineOwner } from "./port.ts";
import { Refusal } from "./Refusal.tsx";
import { useBridge } from "./useBridge.ts";

interface Props {
  readonly targetId: number;
  readonly owner: LineOwner;
}

/** Whether the transparent port of a device or gateway is open, its address, and a button for each state. */
export function BridgePanel({ targetId, owner }: Props) {
  const { t } = useTranslation("bridge");
  const { phase, saidAt, isBusy, refusal, failure, turn, retry } = useBridge(targetId, owner);
  if (phase.name === "failed")
    return <ErrorState title={t("failed")} message={reasonOf(failure)} onRetry={retry} />;
  const isOpen = phase.name === "open";
  const isKnown = phase.name !== "waiting";
  return (
    <div className="bridge" aria-live="polite" aria-busy={isBusy || !isKnown}>
      {phase.name === "open" || phase.name === "ended" ? (
        <OpenPort port={phase.port} saidAt={saidAt} />
      ) : (
        <>
          <Status kind="off">{t(isKnown ? `panel.${owner}.closed` : "waiting")}</Status>
          <p>{t("what")}</p>
        </>
      )}
      <div className="bridge-turn">
        <Button disabled={isBusy || !isKnown || isOpen} onClick={() => void turn(true)}>
          {t(`panel.${owner}.open`)}
        </Button>
        <Button disabled={isBusy || !isOpen} onClick={() => void turn(false)}>
          {t(`panel.${owner}.close`)}
        </Button>
      </div>
      {refusal ? <Refusal error={refusal} /> : null}
    </div>
  );
}
