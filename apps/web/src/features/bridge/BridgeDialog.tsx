import { bridgeBounds } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { FreezeNote } from "#freeze";
import { reasonOf } from "#lib/call";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import "./bridge.css";
import { OpenPort } from "./OpenPort.tsx";
import { Refusal } from "./Refusal.tsx";
import { useBridge } from "./useBridge.ts";

/** The most frequent next state, so that the dialog does not change its size. */
const heightOfOffer = 270;

interface Props {
  readonly device: { readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

/**
 * Opens the line of a device through a transparent port: explanation, then address and remaining time, then
 * the reason of closing.
 */
export function BridgeDialog({ device, onClose }: Props) {
  const { t } = useTranslation("bridge");
  const { phase, saidAt, isBusy, refusal, failure, turn, retry } = useBridge(device.id);
  const open = (title: string) => (
    <Button kind="primary" isBusy={isBusy} disabled={isBusy} onClick={() => void turn(true)}>
      {title}
    </Button>
  );
  const leave = (title: string) => (
    <Button data-autofocus onClick={onClose}>
      {title}
    </Button>
  );
  const actions = {
    waiting: leave(t("cancel")),
    failed: leave(t("hide")),
    offer: (
      <>
        {leave(t("cancel"))}
        {open(t("open"))}
      </>
    ),
    open: (
      <>
        {leave(t("hide"))}
        <Button kind="danger" isBusy={isBusy} disabled={isBusy} onClick={() => void turn(false)}>
          {t("close")}
        </Button>
      </>
    ),
    ended: (
      <>
        {leave(t("hide"))}
        {open(t("again"))}
      </>
    ),
  };
  return (
    <Dialog
      title={t("title", { name: device.name })}
      size={500}
      onClose={onClose}
      closesOutside={false}
      actions={actions[phase.name]}
    >
      <div className="bridge" aria-live="polite" aria-busy={isBusy || phase.name === "waiting"}>
        <FreezeNote />
        {phase.name === "waiting" ? (
          <div role="status">
            <span className="visually-hidden">{t("waiting")}</span>
            <Skeleton height={heightOfOffer} />
          </div>
        ) : phase.name === "failed" ? (
          <ErrorState title={t("failed")} message={reasonOf(failure)} onRetry={retry} />
        ) : phase.name === "offer" ? (
          <Meaning />
        ) : (
          <OpenPort port={phase.port} saidAt={saidAt} />
        )}
        {isBusy && phase.name !== "open" ? <p role="status">{t("opening")}</p> : null}
        {refusal ? <Refusal error={refusal} /> : null}
      </div>
    </Dialog>
  );
}

/** Effects of opening the port, shown before it is opened. */
function Meaning() {
  const { t } = useTranslation("bridge");
  const minutes = { longest: bridgeBounds.longest / 60, idle: bridgeBounds.idle / 60 };
  return (
    <>
      <p>{t("what")}</p>
      <dl className="bridge-meaning">
        {(["howLong", "polling", "who", "log"] as const).map((name) => (
          <div key={name}>
            <dt>{t(`${name}.title`)}</dt>
            <dd>{name === "howLong" ? t("howLong.text", minutes) : t(`${name}.text`)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
