import { useState, type ReactNode, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Checkbox, PasswordField, TextField } from "#ui/field";
import { Dialog } from "./Dialog.tsx";
import type { OpenDialog } from "./requests.ts";
import { matching, searchAbove } from "./search.ts";
import { faultOf } from "./textRules.ts";

type Asking<Kind extends OpenDialog["kind"]> = Extract<OpenDialog, { kind: Kind }>;

interface Props {
  readonly request: Asking<"text"> | Asking<"choice"> | Asking<"check">;
}

/** Dialogs with input. A click outside does not close them. */
export function Prompt({ request }: Props) {
  switch (request.kind) {
    case "text":
      return <TextPrompt request={request} />;
    case "choice":
      return <ChoicePrompt request={request} />;
    case "check":
      return <CheckPrompt request={request} />;
  }
}

interface FrameProps extends Props {
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  readonly canConfirm: boolean;
  readonly isDirty?: boolean;
  readonly children: ReactNode;
}

function Frame({ request, onCancel, onConfirm, canConfirm, isDirty = false, children }: FrameProps) {
  const { t } = useTranslation("common");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (canConfirm) onConfirm();
  };
  return (
    <Dialog
      title={request.title}
      size={request.size ?? 400}
      onClose={onCancel}
      closesOutside={false}
      isDirty={isDirty}
    >
      <form className="dialog-form" onSubmit={submit} noValidate>
        {request.text === undefined ? null : <p>{request.text}</p>}
        {children}
        <div className="dialog-foot">
          <Button onClick={onCancel}>{t("cancel")}</Button>
          <Button type="submit" kind={request.isHarmful ? "danger" : "primary"} disabled={!canConfirm}>
            {request.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function TextPrompt({ request }: { readonly request: Asking<"text"> }) {
  const { t } = useTranslation("common");
  const [value, setValue] = useState(request.value ?? "");
  const [isTouched, setTouched] = useState(false);
  const fault = faultOf(value, request);
  const words =
    fault === null
      ? undefined
      : "text" in fault
        ? fault.text
        : t(`dialog.${fault.key}`, { ...("count" in fault ? { count: fault.count } : {}) });
  const Input = request.isSecret ? PasswordField : TextField;
  const confirm = () => {
    setTouched(true);
    if (fault === null) request.settle(value.trim());
  };
  return (
    <Frame
      request={request}
      onCancel={() => request.settle(null)}
      onConfirm={confirm}
      canConfirm
      isDirty={value !== (request.value ?? "")}
    >
      <Input
        label={request.label}
        hint={request.hint}
        error={isTouched ? words : undefined}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onBlur={() => setTouched(value !== "")}
        autoComplete={request.isSecret ? "current-password" : "off"}
        data-autofocus
      />
    </Frame>
  );
}

function ChoicePrompt({ request }: { readonly request: Asking<"choice"> }) {
  const { t } = useTranslation("common");
  const [search, setSearch] = useState("");
  const [value, setValue] = useState(request.value ?? null);
  const shown = matching(request.options, search);
  return (
    <Frame
      request={request}
      onCancel={() => request.settle(null)}
      onConfirm={() => request.settle(value)}
      canConfirm={value !== null}
    >
      {request.options.length > searchAbove ? (
        <TextField
          label={t("search")}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
      ) : null}
      <fieldset className="dialog-choices" aria-label={request.label}>
        {shown.map((each) => (
          <label key={each.value}>
            <input
              type="radio"
              name="choice"
              checked={each.value === value}
              onChange={() => setValue(each.value)}
            />
            <span>{each.title}</span>
          </label>
        ))}
        {shown.length === 0 ? <p role="status">{t("dialog.notFound")}</p> : null}
      </fieldset>
    </Frame>
  );
}

function CheckPrompt({ request }: { readonly request: Asking<"check"> }) {
  const [isTicked, setTicked] = useState(false);
  return (
    <Frame
      request={request}
      onCancel={() => request.settle(false)}
      onConfirm={() => request.settle(true)}
      canConfirm={isTicked}
    >
      <Checkbox
        checked={isTicked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
        data-autofocus
      >
        {request.label}
      </Checkbox>
    </Frame>
  );
}
