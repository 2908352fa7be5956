import { text, type Messages } from "./text.ts";

/** Messages of success of the administration and branding. */
export const platformMessages = {
  service_removed: text("Услуга отключена", "The service has been removed", "Үйлчилгээг хассан"),
  service_exported: text("Выгружено строк: {count}", "Rows exported: {count}", "Экспортолсон мөр: {count}"),
  letter_queued: text(
    "Письмо снова в очереди",
    "The letter is queued again",
    "Захидал дахин дараалалд орлоо",
  ),
  simulation_started: text(
    "Имитация запущена, приборов: {devices}",
    "The simulation is running, devices: {devices}",
    "Загварчлал ажиллаж байна, төхөөрөмж: {devices}",
  ),
  simulation_removed: text(
    "Имитированные приборы удалены: {devices}",
    "Simulated devices removed: {devices}",
    "Загварчилсан төхөөрөмж устгагдсан: {devices}",
  ),
} as const satisfies Messages;
