# LiveLists and ContactSheet. `make` alone lists the commands.

# Scripts that ask where they are would be told twice.
unexport CDPATH

PORT ?= 8080
# Not from the environment: some shells set HOST to the machine's kind.
HOST = 127.0.0.1
DATA ?= data
SUITE ?= all
PROGRAM = Apps/.build/quick/release/contact-sheet

.DEFAULT_GOAL := help
.PHONY: help run demo colors events photos cluster build test check scenarios lint format bench attack law soak engines screenshots figures docs api dist clean packages browsers

help: ## List the commands
	@awk 'BEGIN {FS = ":.*## "; print "make COMMAND, where COMMAND is one of:\n"} \
	  /^[a-z]+:.*## / {printf "  %-12s %s\n", $$1, $$2} \
	  END {print "\nrun, demo and the examples take PORT=… and DATA=…; bench takes SUITE=…, law SEEDS=…"}' Makefile

# The question comes before the build, so that nobody waits for minutes to be asked, or to hear that the port or the folder is in use.
run: packages ## Start ContactSheet on http://127.0.0.1:8080 with its photos in ./data
	@scripts/require-free $@ "$(PORT)" "$(DATA)" && demo=$$(scripts/offer-demo "$(DATA)") && scripts/build-program quick && \
	  if [ "$$demo" = yes ]; then $(PROGRAM) demo --data "$(DATA)"; fi && \
	  exec $(PROGRAM) serve --host "$(HOST)" --port "$(PORT)" --data "$(DATA)"

demo: DATA = demo-data
demo: packages ## The same with an album of sixty generated pictures, in ./demo-data
	@scripts/require-free $@ "$(PORT)" "$(DATA)" && scripts/build-program quick
	@$(PROGRAM) demo --data "$(DATA)"
	@exec $(PROGRAM) serve --host "$(HOST)" --port "$(PORT)" --data "$(DATA)"

# In debug: what is built once is built in half the time, and these lists are short.
EXAMPLE = scripts/install-packages example && scripts/require-free $@ "$(PORT)" && swift build --package-path Apps --product $@ && \
  exec Apps/.build/debug/$@ "$(PORT)" $(if $(filter file,$(origin DATA)),,--data "$(DATA)")

colors: ## Start the example of search and delete on http://127.0.0.1:8080, in a temporary folder or that of DATA=…
	@$(EXAMPLE)

events: ## The same for the example of sections, an editor with drafts, and what a list costs
	@$(EXAMPLE)

photos: ## The same for the example of an order of one's own, with the pictures of FOLDER=…, or some of its own
	@$(EXAMPLE) $(if $(FOLDER),"$(FOLDER)")

cluster: ## Start three nodes of the events example on one PostgreSQL, behind nginx; CHECK=1 plays faults before a browser, and ends
	@scripts/install-packages run test && $(if $(CHECK),,scripts/require-free $@ "$(PORT)" &&) scripts/cluster --port "$(PORT)" $(if $(CHECK),--check)

build: packages ## Build ContactSheet in release, all of it optimized
	@scripts/build-program

packages:
	@scripts/install-packages run

test: ## Install what is needed and run the gate: tests of everything, long ones by turns (SKIP_BROWSER=1 leaves out the browsers)
	@scripts/install-packages run test && scripts/test

check: ## Format, lint and the unit tests that a change can have broken: a minute, without browsers
	@scripts/install-packages run check && scripts/check

scenarios: ## Test what people outside write: a store of somebody's own, lists in a terminal, in a browser, and in views (type-checked)
	@scripts/install-packages check && scripts/shared-build test Scenarios
	@scripts/check-apple --scratch-path .build/tests

browsers: ## Go through ContactSheet in Chromium, Firefox and WebKit; prints a table of steps (ENGINES=… picks some)
	@scripts/browsers

engines: ## Run every browser test in Chromium, Firefox and WebKit, of which `make test` takes a part by turns: 40 minutes (ARGUMENTS=…)
	@scripts/install-packages run test && scripts/shared-build build Apps
	@PATIENCE=45 CONTACT_SHEET=$${CONTACT_SHEET:-$(CURDIR)/Apps/.build/tests/debug/contact-sheet} scripts/python -m pytest -q -rfE -n 2 \
	  $(or $(ARGUMENTS),Tests/Browser/element Tests/Browser/app)

lint: ## Check the format of every Swift file, which module imports which, that no folders need one another, Python, and the types of JavaScript
	@scripts/install-packages run check && scripts/lint
	@swift build >/dev/null
	@scripts/check-cycles

format: ## Format every Swift file
	@scripts/format

bench: ## Measure against peers: SUITE=snapshots|fetch|sources|drafts|postgres|app|browser (all by default)
	@scripts/bench "$(SUITE)"

figures: ## Measure and draw Documentation/Figures.md (FIGURES_MOST=1000000 leaves ten million rows out, DRAW_ONLY=1 measures nothing)
	@scripts/figures

attack: ## Play every attack against ContactSheet's release program (SEED, SHARE)
	@scripts/attack

law: ## Both laws of lists on random schemas: SEEDS=300, SEED=n for one, LAW_SQLITE=…/libsqlite3.so; STORE=draft for that of drafts, STORE=postgres for PostgreSQL
	@scripts/install-packages $(if $(STORE),postgres,law) && scripts/law

soak: ## Ten minutes of random writes and faults against the law of the list (SOAK_SECONDS, SOAK_SEED); SUITE=postgres: three nodes on PostgreSQL
	@scripts/install-packages run test && scripts/soak

screenshots: build ## Make the pictures of the README and the documentation anew
	@scripts/screenshots

docs: ## Build the DocC documentation into .build/docs; compile and run the code of README, guides and doc comments
	@scripts/install-packages check && scripts/docs
	@scripts/shared-build test library --filter DocumentationTests

api: ## Write the records of the public API in Documentation/API anew, after a change that is meant
	@scripts/install-packages check && scripts/docs write

dist: ## Make an archive of ContactSheet that runs without Swift, in .build/dist, and try it
	@scripts/install-packages run python && scripts/dist

clean: ## Remove what was built
	@rm -rf .build Apps/.build Benchmarks/.build .tsan .fuzz .venv
