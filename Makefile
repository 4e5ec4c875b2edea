.PHONY: test
test: ## every check that guards main
	npx vitest run test/load test/market
