import { lines, pollResults, type Line, type LineTest } from "@metrum/contract/headend";
import { models } from "@metrum/contract/metering";
import { stepWords } from "@metrum/vocabulary";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { ApiError, exchange, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { copyText } from "#ui/copy";
import { Dialog } from "#ui/dialog";
import { Segmented, SelectField, TextField } from "#ui/field";
import { Status } from "#ui/status";
import { addressOf } from "./lines.ts";

interface Props {
  readonly line: Line;
  readonly onClose: () => void;
}

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Opens a line, listens or identifies a meter, and shows every byte. Nothing is stored. */
export function TestDialog({ line, onClose }: Props) {
  const { t } = useTranslation("lines");
  const [kind, setKind] = useState<"listen" | "ask">(line.listens ? "listen" : "ask");
  const [model, setModel] = useState("");
  const [address, setAddress] = useState("");
  const { test, isBusy, run } = useTest();
  const start = () =>
    void run({
      gateway_id: line.id,
      kind,
      ...(kind === "ask" && model !== "" ? { model_id: Number(model), inside_addr: address.trim() } : {}),
    });
  return (
    <Dialog
      title={t("test.title", { name: line.name })}
      size={618}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {t("test.close")}
          </Button>
          <Button kind="primary" isBusy={isBusy} onClick={start} autoFocus>
            {t(test ? "test.again" : "test.start")}
          </Button>
        </>
      }
    >
      <div className="line-test">
        <p className="line-note">{t("test.about", { address: addressOf(line) })}</p>
        {line.listens ? null : (
          <Segmented
            name="kind"
            label={t("test.kind")}
            value={kind}
            onValue={setKind}
            options={(["ask", "listen"] as const).map((value) => ({ value, title: t(`test.${value}`) }))}
          />
        )}
        {kind === "ask" ? <Meter {...{ model, setModel, address, setAddress }} /> : null}
        <div aria-live="polite">
          {isBusy ? <p className="line-note">{t(`test.waiting.${kind}`)}</p> : null}
          {!isBusy && test ? <Outcome test={test} /> : null}
        </div>
      </div>
    </Dialog>
  );
}

type Body = Parameters<typeof exchange<typeof lines.test>>[1]["body"];

/** A refusal is shown by the call; the former outcome is cleared. */
function useTest() {
  const [test, setTest] = useState<LineTest | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (body: NonNullable<Body>) => {
    if (isRunning.current || !isPermitted(lines.test)) return;
    isRunning.current = true;
    setBusy(true);
    setTest(null);
    try {
      setTest((await exchange(lines.test, { body })).data.test);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { test, isBusy, run };
}

interface MeterProps {
  readonly model: string;
  readonly setModel: (id: string) => void;
  readonly address: string;
  readonly setAddress: (address: string) => void;
}

/** The model to try; without one the most common are tried in turn. */
function Meter({ model, setModel, address, setAddress }: MeterProps) {
  const { t } = useTranslation("lines");
  const { data } = useCall(models.devices, { body: {} }, lasting);
  const polled = (data?.metering_devices ?? []).filter(({ options }) => options.virtual_bridge.active);
  return (
    <div className="line-pair">
      <SelectField
        label={t("test.model")}
        value={model}
        onChange={({ currentTarget: { value } }) => setModel(value)}
        placeholder={t("test.anyModel")}
        options={polled.map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` }))}
      />
      {model === "" ? null : (
        <TextField
          label={t("test.address")}
          value={address}
          onValue={setAddress}
          maxLength={255}
          autoComplete="off"
        />
      )}
    </div>
  );
}

function Outcome({ test }: { readonly test: LineTest }) {
  const { t } = useTranslation("lines");
  const { language, number } = useFormat();
  const isOk = test.result === "ok";
  const reason = test.fault === null ? pollResults[test.result].title[language] : t(`fault.${test.fault}`);
  const hex = test.steps.map(({ sent, received }) => `> ${sent}\n< ${received}`).join("\n");
  return (
    <section className="line-outcome" aria-label={t("test.outcome")}>
      <header>
        <Status kind={isOk ? "ok" : "alarm"}>
          <b>{isOk ? (test.title === "" ? t("test.heard") : test.title) : reason}</b>
        </Status>
        <span className="quiet">
          {t("test.figures", {
            count: test.received_bytes,
            bytes: number(test.received_bytes, 0),
            s: number(test.duration_ms / 1000, 1),
          })}
        </span>
        {test.steps.length === 0 ? null : (
          <Button
            icon="copy"
            size="small"
            onClick={() => void copyText(hex, { copied: t("test.copied"), notCopied: t("test.notCopied") })}
          >
            {t("test.copy")}
          </Button>
        )}
      </header>
      <ol>
        {test.steps.map((step, at) => (
          <li key={at} data-failed={step.error ? "" : undefined}>
            <span className="line-step">
              <b>{stepWords(step.label, { language, resource: "electricity" })}</b>
              <span className="quiet">{t("test.at", { s: number(step.at_ms / 1000, 2) })}</span>
            </span>
            <Bytes arrow="↑" label={t("test.sent")} hex={step.sent} />
            <Bytes arrow="↓" label={t("test.received")} hex={step.received} />
            {step.received === "" ? <span className="quiet">{t("test.silence")}</span> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Bytes({
  arrow,
  label,
  hex,
}: {
  readonly arrow: string;
  readonly label: string;
  readonly hex: string;
}) {
  if (hex === "") return null;
  return (
    <code className="line-bytes">
      <span aria-hidden="true">{arrow}</span>
      <span className="visually-hidden">{label}</span>
      {(hex.match(/../g) ?? []).join(" ").toUpperCase()}
    </code>
  );
}
