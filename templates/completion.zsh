#compdef pipeline-understudy understudy
# source <(npx pipeline-understudy completion zsh)
_pipeline_understudy() {
  local found
  found="$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)" || { _files; return }
  compadd -- ${(f)found}
}
compdef _pipeline_understudy pipeline-understudy understudy
