import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { pocket } from "./lib/here.svelte";
import { apply, watchSystem } from "./lib/prefs.svelte";
import { language } from "./lib/words";

document.documentElement.lang = language;
apply();
watchSystem(apply);
mount(App, { target: document.getElementById("app")! });
if (import.meta.env.PROD && pocket && "serviceWorker" in navigator)
  addEventListener("load", () => void import("./pocket/installing").then(({ install }) => install()));
