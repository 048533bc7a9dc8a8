# source <(npx pipeline-understudy completion bash)
_pipeline_understudy() {
  local IFS=$'\n'
  COMPREPLY=($("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _pipeline_understudy pipeline-understudy understudy
