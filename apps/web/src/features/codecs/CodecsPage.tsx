import { codecs, models, type DeviceModel, type PayloadCodec } from "@metrum/contract/metering";
import { interfaces } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button } from "#ui/button";
import { confirm } from "#ui/dialog";
import { SelectField } from "#ui/field";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { CodecEditor } from "./CodecEditor.tsx";
import { CodecVersions } from "./CodecVersions.tsx";
import { draftOf, newDraft, type Draft } from "./draft.ts";
import "./codecs.css";

const loraWan = interfaces.find(({ name }) => name === "LoRaWAN")?.id ?? 0;
const all = { body: { per_page: 100 } };

/** Payload codecs of the company: versions by model on the left, the text of one on the right. */
export function CodecsPage() {
  const { t } = useTranslation("codecs");
  const list = useCall(codecs.list, all, { isQuiet: true, freshMs: 0 });
  const known = useCall(models.devices, { body: {} }, { isQuiet: true });
  const failed = list.isError ? list : known;
  return (
    <section className="codecs">
      <header className="codecs-head">
        <Breadcrumbs items={[{ title: t("back"), href: "#/cloud/devices" }, { title: t("title") }]} />
        <h1>{t("title")}</h1>
        <p>{t("about")}</p>
      </header>
      {failed.isError ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(failed.error)}
          onRetry={() => void Promise.all([list.refetch(), known.refetch()])}
        />
      ) : !list.data || !known.data ? (
        <Skeleton height={240} />
      ) : (
        <Workbench
          rows={list.data.codecs.data}
          known={known.data.metering_devices.filter((model) => model.interface_ids.includes(loraWan))}
        />
      )}
    </section>
  );
}

interface WorkbenchProps {
  readonly rows: readonly PayloadCodec[];
  readonly known: readonly DeviceModel[];
}

function Workbench({ rows, known }: WorkbenchProps) {
  const { t } = useTranslation("codecs");
  const mayChange = useAllowed("4:update|4:access_all");
  const [start, setStart] = useState<Draft | null>(null);
  const [isChanged, setChanged] = useState(false);
  const open = async (next: Draft | null) => {
    const isFree =
      !isChanged || (await confirm({ title: t("leaveTitle"), text: t("leaveText"), action: t("leave") }));
    if (!isFree) return;
    setStart(next);
    setChanged(false);
  };
  return (
    <div className="codecs-body">
      <aside className="codecs-side">
        {mayChange ? <NewCodec known={known} onNew={(draft) => void open(draft)} /> : null}
        {rows.length === 0 ? (
          <EmptyState title={t("empty")} text={t("emptyText")} />
        ) : (
          <CodecVersions
            rows={rows}
            known={known}
            current={start?.id ?? null}
            onOpen={(codec) => void open(draftOf(codec))}
            onGone={(id) => (start?.id === id ? setStart(null) : undefined)}
          />
        )}
      </aside>
      {start === null ? (
        <p className="codecs-hint">{rows.length === 0 ? null : t("choose")}</p>
      ) : (
        <CodecEditor
          key={`${start.id ?? "new"} ${start.model_id}`}
          start={start}
          model={known.find(({ id }) => id === start.model_id)}
          mayChange={mayChange}
          onChanged={setChanged}
          onSaved={(codec) => {
            setChanged(false);
            setStart(draftOf(codec));
          }}
        />
      )}
    </div>
  );
}

interface NewProps {
  readonly known: readonly DeviceModel[];
  readonly onNew: (draft: Draft) => void;
}

function NewCodec({ known, onNew }: NewProps) {
  const { t } = useTranslation("codecs");
  const [modelId, setModelId] = useState("");
  const model = known.find(({ id }) => String(id) === modelId);
  return (
    <div className="codecs-new">
      <SelectField
        label={t("model")}
        placeholder={t("chooseModel")}
        options={known.map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` }))}
        value={modelId}
        onChange={(event) => setModelId(event.currentTarget.value)}
      />
      <Button
        icon="plus"
        disabled={model === undefined}
        onClick={() => (model ? onNew(newDraft(model.id, `${model.brand} ${model.title}`)) : undefined)}
      >
        {t("add")}
      </Button>
    </div>
  );
}
